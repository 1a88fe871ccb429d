// expect: unknown
// The value comes out of assembly: nothing can be proved of it.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int x;
    __asm__("movl $1, %0" : "=r"(x));
    if (x != 1)
        reach_error();
    return 0;
}
