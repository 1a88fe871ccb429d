// expect: true
// property: valid-deref
// A precision keeps printf inside the array.
#include <stdio.h>

int main(void)
{
    char v[3] = {'a', 'b', 'c'};
    printf("%.3s\n", v);
    return 0;
}
