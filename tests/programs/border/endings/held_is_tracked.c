// expect: true
// property: valid-memtrack
// A block that a global variable holds at the end is not lost.
#include <stdlib.h>
static char *held;

int main(void)
{
    held = malloc(4);
    return 0;
}
