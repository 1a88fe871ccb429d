// expect: false or unknown
// property: no-uninit-read
// bits: 64
// Where the text does not match, the second number is not stored.
#include <stdio.h>

int main(void)
{
    int a, b;
    int got = sscanf("12;3", "%d,%d", &a, &b);
    if (b == 3)
        return 1;
    return got;
}
