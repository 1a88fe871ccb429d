// expect: true or unknown
// property: valid-deref
// options: --entry length
// native: extern int length(const char *s); int main(void) { char v[2] = {'a', 'b'}; return length(v) == 77; }
// Nothing is read of the text.
#include <string.h>

int length(const char *s)
{
    return s ? 1 : 0;
}
