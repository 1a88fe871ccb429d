// expect: true
// wcscmp compares whole characters.
#include <wchar.h>
extern void reach_error(void);

int main(void)
{
    if (wcscmp(L"\x100", L"\xff") <= 0)
        reach_error();
    return 0;
}
