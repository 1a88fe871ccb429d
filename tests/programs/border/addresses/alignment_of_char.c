// expect: false or unknown
// A single byte may lie anywhere.
#include <stdint.h>
extern void reach_error(void);
char a;
static char b[3];
char c;

int main(void)
{
    if (((uintptr_t)&a & 3) || ((uintptr_t)b & 3) || ((uintptr_t)&c & 3))
        reach_error();
    return 0;
}
