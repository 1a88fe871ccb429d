// expect: true or unknown
// property: valid-deref
// %hd stores a short.
#include <stdio.h>

int main(void)
{
    short n;
    return sscanf("5", "%hd", &n);
}
