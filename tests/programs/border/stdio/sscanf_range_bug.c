// expect: false or unknown
// property: valid-deref
// stdin: "9"
// What was read may be any number.
#include <stdio.h>

int main(void)
{
    int v[4] = {0}, i = 0;
    if (scanf("%d", &i) != 1)
        return 0;
    return v[i];
}
