// expect: false
// A literal with a zero inside is copied to that zero only.
#include <string.h>
extern void reach_error(void);

int main(void)
{
    char from[] = "ab\0cd", to[6] = "zzzzz";
    strcpy(to, from);
    if (to[3] != 'c')
        reach_error();
    return 0;
}
