// expect: false or unknown
// property: valid-deref
// options: --entry length
// native: extern int length(const char *s); int main(void) { char v[2] = {'a', 'b'}; return length(v) == 77; }
// A text that is passed need not have a terminator.
#include <string.h>

int length(const char *s)
{
    return s ? (int)strlen(s) : 0;
}
