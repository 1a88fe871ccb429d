// expect: true
// A constructor ends the program: main does not run.
#include <stdlib.h>
extern void reach_error(void);

__attribute__((constructor)) static void stop(void)
{
    exit(0);
}
int main(void)
{
    reach_error();
    return 0;
}
