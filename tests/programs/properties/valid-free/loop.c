// expect: false
// The loop frees what it did not allocate.
#include <stdlib.h>

int main(void)
{
    char *p = 0;
    int i;
    for (i = 0; i < 3; i++) {
        if (i < 2)
            p = malloc(1);
        free(p); // bad
    }
    return 0;
}
