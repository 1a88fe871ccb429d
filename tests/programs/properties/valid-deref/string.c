// expect: false
// The copy needs one byte more for the end.
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char b[3];
    strcpy(b, "abc"); // bad
    return b[0];
}
