// expect: false or unknown
// stdin: "abc"
// fread reads what is there, which may be less than asked for.
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    char v[8] = {0};
    size_t n = fread(v, 1, sizeof v, stdin);
    if (n == 3 && v[2] == 'c')
        reach_error();
    return 0;
}
