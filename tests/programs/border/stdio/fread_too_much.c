// expect: true
// property: valid-deref
// stdin: "abcdefghijklmnopqrstuvwxyz"
// Four numbers are read into an array of four.
#include <stdio.h>

int main(void)
{
    int v[4];
    return fread(v, sizeof v[0], 4, stdin) == 4;
}
