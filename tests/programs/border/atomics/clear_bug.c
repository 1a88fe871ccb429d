// expect: false
// __atomic_clear clears a flag that was set.
extern void reach_error(void);

int main(void)
{
    char flag = 0;
    int was = __atomic_test_and_set(&flag, __ATOMIC_SEQ_CST);
    __atomic_clear(&flag, __ATOMIC_SEQ_CST);
    if (!flag)
        reach_error();
    return 0;
}
