// expect: false or unknown
// property: valid-deref
// %d stores an int, where a short is.
#include <stdio.h>

int main(void)
{
    short n;
    return sscanf("5", "%d", (int *)&n);
}
