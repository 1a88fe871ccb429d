// expect: true or unknown
// property: unreach-call
// A call that fails sets errno to a positive number.
#include <errno.h>
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    FILE *file;
    errno = 0;
    file = fopen("no such folder/no such file", "r");
    if (file) {
        fclose(file);
        return 0;
    }
    if (errno < 0)
        reach_error();
    return 0;
}
