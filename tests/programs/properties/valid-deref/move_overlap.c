// expect: true
// memmove may overlap.
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char a[8] = "seven..";
    memmove(a + 2, a, 4);
    return a[0];
}
