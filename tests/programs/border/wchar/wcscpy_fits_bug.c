// expect: false
// property: valid-deref
// The terminator of a wide string is as large as a character.
#include <wchar.h>

int main(void)
{
    wchar_t to[4];
    wcscpy(to, L"abcd");
    return (int)wcslen(to);
}
