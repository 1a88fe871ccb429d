// expect: true
// A literal with a zero inside is longer than its text.
#include <string.h>
extern void reach_error(void);

int main(void)
{
    char from[] = "ab\0cd", to[6] = "zzzzz";
    strcpy(to, from);
    if (sizeof from != 6 || strlen(from) != 2 || to[3] != 'z')
        reach_error();
    return 0;
}
