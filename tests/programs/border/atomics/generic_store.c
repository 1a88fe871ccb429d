// expect: true
// The builtin that stores through a pointer reads the value.
extern void reach_error(void);

int main(void)
{
    int at = 1, value = 4;
    __atomic_store(&at, &value, __ATOMIC_SEQ_CST);
    if (at != 4)
        reach_error();
    return 0;
}
