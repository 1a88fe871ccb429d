// expect: false or unknown
// property: unreach-call
// Opening a file that is not there sets errno.
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
    if (errno == ENOENT)
        reach_error();
    return 0;
}
