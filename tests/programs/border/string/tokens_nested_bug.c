// expect: false or unknown
// options: -D _GNU_SOURCE
// gcc: -D_GNU_SOURCE
// strtok has one place only: a second line makes it forget the first.
#include <string.h>
extern void reach_error(void);

int main(void)
{
    char outer[] = "a;b", inner[] = "c,d", *part;
    strtok(outer, ";");
    strtok(inner, ",");
    part = strtok(0, ";");
    if (part && *part == 'd')
        reach_error();
    return 0;
}
