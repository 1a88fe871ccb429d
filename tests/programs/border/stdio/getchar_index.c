// expect: true
// property: valid-deref
// stdin: ""
// The end of the input is asked for before the byte is an index.
#include <stdio.h>

int main(void)
{
    int count[256] = {0};
    int *seen = count;
    int c = getchar();
    if (c != EOF)
        seen[c]++;
    return 0;
}
