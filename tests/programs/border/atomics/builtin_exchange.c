// expect: true
// __atomic_exchange_n gives the old value and sets the new.
extern void reach_error(void);

int main(void)
{
    int at = 1;
    int old = __atomic_exchange_n(&at, 4, __ATOMIC_ACQ_REL);
    if (old != 1 || at != 4)
        reach_error();
    return 0;
}
