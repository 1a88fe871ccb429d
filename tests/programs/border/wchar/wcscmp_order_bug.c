// expect: false
// wcscmp compares whole characters: the first is the greater one.
#include <wchar.h>
extern void reach_error(void);

int main(void)
{
    if (wcscmp(L"\x100", L"\xff") > 0)
        reach_error();
    return 0;
}
