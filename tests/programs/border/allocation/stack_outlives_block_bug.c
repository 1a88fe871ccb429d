// expect: false or unknown
// property: valid-deref
// not shown by gcc: its sanitizer does not see the end of such a block
// What alloca gave ends with the function that called it.
#include <alloca.h>

static char *make(int n)
{
    char *p = 0;
    if (n > 0) {
        p = alloca(8);
        p[0] = 1;
    }
    return p;
}
int main(void)
{
    return make(3)[0];
}
