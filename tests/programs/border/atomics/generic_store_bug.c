// expect: false
// The builtin that stores through a pointer changes the variable.
extern void reach_error(void);

int main(void)
{
    int at = 1, value = 4;
    __atomic_store(&at, &value, __ATOMIC_SEQ_CST);
    if (at == 4)
        reach_error();
    return 0;
}
