// expect: true
// Nothing behind abort is reached.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    abort();
    reach_error();
}
