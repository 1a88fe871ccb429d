// expect: false
// A constructor that returns lets main run.
#include <stdlib.h>
extern void reach_error(void);

__attribute__((constructor)) static void stop(void)
{
}
int main(void)
{
    reach_error();
    return 0;
}
