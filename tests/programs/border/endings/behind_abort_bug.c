// expect: false
// What stands before abort is reached.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    reach_error();
    abort();
}
