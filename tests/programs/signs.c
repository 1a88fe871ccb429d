// expect: true
// A signed char is never beyond its limits, however it is made.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    signed char c = (signed char)__VERIFIER_nondet_int();
    int wide = c;
    if (wide < -128 || wide > 127)
        reach_error();
    if ((unsigned char)wide > 255)
        reach_error();
    return 0;
}
