// expect: false
// property: valid-deref
// stdin: ""
// At its end the input gives -1, which is no index.
#include <stdio.h>

int main(void)
{
    int count[256] = {0};
    int *seen = count;
    int c = getchar();
        seen[c]++;
    return 0;
}
