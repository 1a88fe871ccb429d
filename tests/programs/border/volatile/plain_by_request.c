// expect: true
// options: --volatile plain
// inputs: 3
// Who says that volatile variables are plain memory gets his proof.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static volatile int flag;

int main(void)
{
    flag = __VERIFIER_nondet_int();
    if (flag != flag)
        reach_error();
    return 0;
}
