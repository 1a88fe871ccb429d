// expect: true
// property: valid-free
// Two names of one block: it is freed by one of them.
#include <stdlib.h>

int main(void)
{
    char *a = malloc(3), *b = a;
    free(a);
    b = 0;
    free(b);
    return 0;
}
