// expect: unknown
// A block may lie on one side of a variable, and its neighbour on the other.
#include <stdlib.h>
extern void reach_error(void);
static char x;

int main(void)
{
    char *a = malloc(1), *b = malloc(1);
    if (a && b && a < &x && &x < b)
        reach_error();
    return 0;
}
