// expect: false
// The sum of the first numbers.
#include <assert.h>

int main(void)
{
    int i, sum = 0;
    for (i = 0; i < 10; i++)
        sum += i;
    assert(sum == 46); // bad
    return 0;
}
