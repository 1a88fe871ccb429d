// expect: false
// __atomic_exchange_n gives the old value.
extern void reach_error(void);

int main(void)
{
    int at = 1;
    int old = __atomic_exchange_n(&at, 4, __ATOMIC_ACQ_REL);
    if (old != 4)
        reach_error();
    return 0;
}
