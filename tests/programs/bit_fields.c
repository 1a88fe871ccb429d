// expect: true
// Bit-fields keep what fits and leave their neighbours alone.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct flags { unsigned ready : 1, mode : 3; int level : 4; };

int main(void)
{
    struct flags f = { 0 };
    f.level = -3;
    f.mode = (unsigned)__VERIFIER_nondet_int();
    if (f.ready || f.level != -3 || f.mode > 7)
        reach_error();
    return 0;
}
