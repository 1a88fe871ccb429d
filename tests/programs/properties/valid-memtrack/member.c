// expect: true
// A member of a global structure points to the block.
#include <stdlib.h>

static struct { int n; char *text; } box;
int main(void)
{
    box.text = malloc(3);
    box.n = 3;
    return 0;
}
