// expect: false or unknown
// quick_exit runs what at_quick_exit was given.
#include <stdlib.h>
extern void reach_error(void);

static void at_end(void)
{
    reach_error();
}
int main(void)
{
    at_quick_exit(at_end);
    quick_exit(0);
}
