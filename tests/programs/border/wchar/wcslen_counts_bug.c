// expect: false
// wcslen counts characters: two, not eight.
#include <wchar.h>
extern void reach_error(void);

int main(void)
{
    if (wcslen(L"ab") == 2)
        reach_error();
    return 0;
}
