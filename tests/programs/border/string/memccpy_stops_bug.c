// expect: false
// memccpy returns the place behind the letter it was told, not null.
#include <string.h>
extern void reach_error(void);

int main(void)
{
    char from[] = "ab.cd", to[6] = "-----";
    char *end = memccpy(to, from, '.', sizeof from);
    if (end != 0)
        reach_error();
    return 0;
}
