// expect: false or unknown
// mbstowcs returns the number of characters.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    wchar_t to[8];
    size_t n = mbstowcs(to, "abc", 8);
    if (n == 3)
        reach_error();
    return 0;
}
