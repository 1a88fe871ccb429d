// expect: true or unknown
// options: -D _GNU_SOURCE
// gcc: -D_GNU_SOURCE
// strsep gives empty parts between separators, other than strtok.
#include <string.h>
extern void reach_error(void);

int main(void)
{
    char line[] = "a::b", *rest = line, *part;
    part = strsep(&rest, ":");
    part = strsep(&rest, ":");
    if (!part || *part != 0 || rest != line + 3)
        reach_error();
    return 0;
}
