// expect: true
// The builtin that loads through a pointer writes the value.
extern void reach_error(void);

int main(void)
{
    int from = 3, to = 0;
    __atomic_load(&from, &to, __ATOMIC_SEQ_CST);
    if (to != 3)
        reach_error();
    return 0;
}
