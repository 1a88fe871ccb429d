// expect: true or unknown
// What a new block contains is read twice the same.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    if (*p != *p)
        reach_error();
    free(p);
    return 0;
}
