// expect: true or unknown
// A pointer that is copied byte by byte and back is the same.
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);

int main(void)
{
    int *p = malloc(sizeof *p), *q = 0;
    unsigned char bytes[sizeof p];
    if (!p)
        return 0;
    memcpy(bytes, &p, sizeof p);
    memcpy(&q, bytes, sizeof q);
    if (q != p)
        reach_error();
    free(p);
    return 0;
}
