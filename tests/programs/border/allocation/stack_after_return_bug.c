// expect: false or unknown
// property: valid-deref
// An array of a function ends with it.
#include <stdlib.h>
static char *kept;

__attribute__((noinline)) static void make(void)
{
    char block[256];
    kept = block;
    kept[100] = 1;
}
int main(void)
{
    make();
    return kept[100];
}
