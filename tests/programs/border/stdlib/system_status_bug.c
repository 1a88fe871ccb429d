// expect: false or unknown
// system with null says whether there is a shell.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    int there = system(0);
    if (there != 0)
        reach_error();
    return 0;
}
