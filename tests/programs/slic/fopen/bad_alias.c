// expect: false
extern int __VERIFIER_nondet_int(void);
#include <stdio.h>

int main(void)
{
    FILE *in = fopen("in", "r"), *out;
    if (!in)
        return 1;
    out = __VERIFIER_nondet_int() == 9 ? in : fopen("out", "w");
    fclose(in);
    if (out)
        fclose(out); // bad
    return 0;
}
