// expect: true or unknown
// property: valid-deref
// A static array is there after the function has returned.
#include <stdlib.h>
static char *kept;

__attribute__((noinline)) static void make(void)
{
    static char block[256];
    kept = block;
    kept[100] = 1;
}
int main(void)
{
    make();
    return kept[100];
}
