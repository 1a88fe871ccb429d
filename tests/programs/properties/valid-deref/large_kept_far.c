// expect: false
// And one byte further.
#include <stdlib.h>
struct text {
    char *at;
    int size;
};
static void fill(struct text *t)
{
    t->at[0] = 1;
    t->at[t->size] = 2; // bad
}
int main(void)
{
    struct text *t = malloc(sizeof *t);
    int n = 200000000;
    t->at = malloc(n);
    t->size = n;
    fill(t);
    free(t->at);
    free(t);
    return 0;
}
