// expect: true or unknown
// options: -D _GNU_SOURCE
// gcc: -D_GNU_SOURCE
// strtok_r keeps its place where it is told.
#include <string.h>
extern void reach_error(void);

int main(void)
{
    char outer[] = "a;b", inner[] = "c,d", *part;
    char *at, *other;
    strtok_r(outer, ";", &at);
    strtok_r(inner, ",", &other);
    part = strtok_r(0, ";", &at);
    if (!part || *part != 'b')
        reach_error();
    return 0;
}
