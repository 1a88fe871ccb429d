// expect: true
// memccpy stops behind the letter, and the rest stays.
#include <string.h>
extern void reach_error(void);

int main(void)
{
    char from[] = "ab.cd", to[6] = "-----";
    char *end = memccpy(to, from, '.', sizeof from);
    if (end != to + 3 || to[3] != '-')
        reach_error();
    return 0;
}
