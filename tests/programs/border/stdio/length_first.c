// expect: true
// snprintf with no room says how much it needs.
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    int n = snprintf(0, 0, "%d-%s", 10, "ab");
    if (n != 5)
        reach_error();
    return 0;
}
