// expect: true or unknown
// property: valid-deref
// stdin: "9"
// Only what was read is used as an index.
#include <stdio.h>

int main(void)
{
    int v[4] = {0}, i = 0;
    if (scanf("%d", &i) != 1)
        return 0;
    if (i < 0 || i > 3)
        return 0;
    return v[i];
}
