// expect: true
// Each round frees its block.
#include <stdlib.h>

int main(void)
{
    char *p = 0;
    int i;
    for (i = 0; i < 3; i++) {
        p = malloc(1);
        free(p);
    }
    return 0;
}
