// expect: false
// property: valid-free
// Two names of one block: it is freed by both.
#include <stdlib.h>

int main(void)
{
    char *a = malloc(3), *b = a;
    free(a);
    free(b);
    return 0;
}
