// expect: false or unknown
// stdin: ""
// The input may end at once, and feof then says so.
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    int first = getchar();
    if (first == EOF && feof(stdin))
        reach_error();
    return 0;
}
