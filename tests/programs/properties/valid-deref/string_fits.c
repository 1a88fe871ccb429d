// expect: true
// The copy has room for the end.
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char b[4];
    strcpy(b, "abc");
    return b[strlen(b) - 1];
}
