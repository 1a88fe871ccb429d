// expect: true or unknown
// What system returns may be anything.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    int there = system(0);
    if (there > 0 && there < 0)
        reach_error();
    return 0;
}
