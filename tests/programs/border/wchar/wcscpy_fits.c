// expect: true
// property: valid-deref
// Three characters and the terminator fit.
#include <wchar.h>

int main(void)
{
    wchar_t to[4];
    wcscpy(to, L"abc");
    return (int)wcslen(to);
}
