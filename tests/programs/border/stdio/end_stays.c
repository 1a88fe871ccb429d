// expect: true or unknown
// stdin: ""
// Once the input has ended it gives nothing more.
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    int first = getchar();
    if (first == EOF && feof(stdin) && getchar() != EOF)
        reach_error();
    return 0;
}
