// expect: true
// __atomic_clear clears a flag.
extern void reach_error(void);

int main(void)
{
    char flag = 0;
    int was = __atomic_test_and_set(&flag, __ATOMIC_SEQ_CST);
    __atomic_clear(&flag, __ATOMIC_SEQ_CST);
    if (was || flag)
        reach_error();
    return 0;
}
