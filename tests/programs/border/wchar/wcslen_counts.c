// expect: true
// wcslen counts characters, not bytes.
#include <wchar.h>
extern void reach_error(void);

int main(void)
{
    if (wcslen(L"ab") * sizeof(wchar_t) != 8)
        reach_error();
    return 0;
}
