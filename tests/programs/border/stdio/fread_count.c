// expect: true or unknown
// stdin: "abc"
// fread says how many elements it read, which are no more than asked for.
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    char v[8] = {0};
    size_t n = fread(v, 1, sizeof v, stdin);
    if (n > sizeof v)
        reach_error();
    return 0;
}
