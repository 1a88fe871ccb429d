// expect: true
// property: valid-deref
// wmemset counts characters.
#include <wchar.h>

int main(void)
{
    wchar_t v[4];
    wmemset(v, L'x', sizeof v / sizeof v[0]);
    return 0;
}
