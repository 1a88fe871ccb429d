// expect: true or unknown
// property: valid-deref
// What alloca gave lives until the function returns, not the block.
#include <alloca.h>

static int use(int n)
{
    char *p = 0;
    if (n > 0) {
        p = alloca(8);
        p[0] = 1;
    }
    return p ? p[0] : 0;
}
int main(void)
{
    return use(3);
}
