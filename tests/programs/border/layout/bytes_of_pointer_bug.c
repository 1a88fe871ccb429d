// expect: false or unknown
// The bytes of a pointer are not all zero at its lower end.
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
    if (!q && (bytes[0] || bytes[1]))
        reach_error();
    free(p);
    return 0;
}
