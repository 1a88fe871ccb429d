// expect: false
// rand is not always the same small number.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    int n = rand();
    if (n > 100)
        reach_error();
    return 0;
}
