// expect: false or unknown: the model's inputs are not found again in the program as written
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
