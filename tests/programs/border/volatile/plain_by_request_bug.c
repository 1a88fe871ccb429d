// expect: false
// options: --volatile plain
// inputs: 3
// Who says that volatile variables are plain memory gets the errors of that.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static volatile int flag;

int main(void)
{
    flag = __VERIFIER_nondet_int();
    if (flag == 3)
        reach_error();
    return 0;
}
