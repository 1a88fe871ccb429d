// expect: false or unknown
// property: valid-deref
// options: --entry clear
// native: extern void clear(void *p, unsigned long n); int main(void) { char v[2]; clear(v, 8); return 0; }
// What a pointer to `void` leads to has a size that nobody says.
#include <string.h>

void clear(void *p, unsigned long n)
{
    if (n <= 8)
        memset(p, 0, n);
}
