// expect: true
// Two blocks from two members.
#include <stdlib.h>

struct pair { int *a, *b; };
int main(void)
{
    struct pair p;
    p.a = malloc(4);
    p.b = malloc(4);
    free(p.a);
    free(p.b);
    return 0;
}
