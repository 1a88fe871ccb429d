// expect: false or unknown
// property: valid-deref
// stdin: "abcdefghijklmnopqrstuvwxyz"
// Four bytes times five are read into an array of four.
#include <stdio.h>

int main(void)
{
    int v[4];
    return fread(v, sizeof v[0], 5, stdin) == 4;
}
