// expect: true
// strtok cuts the string: its first part ends where the comma was.
#include <string.h>
extern void reach_error(void);

int main(void)
{
    char line[] = "ab,cd";
    char *part = strtok(line, ",");
    if (!part)
        return 0;
    if (line[2] != 0)
        reach_error();
    return 0;
}
