// expect: true or unknown
// mbstowcs returns no more than it was allowed.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    wchar_t to[8];
    size_t n = mbstowcs(to, "abc", 8);
    if (n != (size_t)-1 && n > 8)
        reach_error();
    return 0;
}
