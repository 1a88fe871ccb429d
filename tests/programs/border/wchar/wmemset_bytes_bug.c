// expect: false
// property: valid-deref
// wmemset counts characters, and is given bytes.
#include <wchar.h>

int main(void)
{
    wchar_t v[4];
    wmemset(v, L'x', sizeof v);
    return 0;
}
