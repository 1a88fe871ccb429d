// expect: false
// strcspn counts the letters at the front that are not in the set.
#include <string.h>
extern void reach_error(void);

int main(void)
{
    if (strcspn("ab:c", ":") == 2)
        reach_error();
    return 0;
}
