// expect: true
// A block of more than 200 MB whose address goes through memory.
#include <stdlib.h>
struct text {
    char *at;
    int size;
};
extern int __VERIFIER_nondet_int(void);
static void fill(struct text *t)
{
    t->at[0] = 1;
    t->at[t->size - 1] = 2;
}
int main(void)
{
    struct text *t = malloc(sizeof *t);
    int n = __VERIFIER_nondet_int();
    if (n < 200000000)
        n = 200000000;
    t->at = malloc(n);
    t->size = n;
    fill(t);
    free(t->at);
    free(t);
    return 0;
}
