// expect: false
// property: valid-memcleanup
// The block that a global variable holds is still there at the end.
#include <stdlib.h>
static char *held;

int main(void)
{
    held = malloc(4);
    return 0;
}
