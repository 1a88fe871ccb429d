// expect: false
// property: valid-memtrack
// A block that nothing holds any more is lost.
#include <stdlib.h>
static char *held;

int main(void)
{
    held = malloc(4);
    held = 0;
    return 0;
}
