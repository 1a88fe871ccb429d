// expect: false (not native)
// memcpy between ranges that overlap.
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char a[8] = "seven..";
    memcpy(a + 2, a, 4); // bad
    return a[0];
}
