// expect: true
// strspn counts the letters at the front that are in the set.
#include <string.h>
extern void reach_error(void);

int main(void)
{
    if (strspn("112a1", "12") != 3)
        reach_error();
    return 0;
}
