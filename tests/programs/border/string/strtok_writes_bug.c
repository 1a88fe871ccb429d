// expect: false
// strtok writes a terminator over the comma.
#include <string.h>
extern void reach_error(void);

int main(void)
{
    char line[] = "ab,cd";
    char *part = strtok(line, ",");
    if (!part)
        return 0;
    if (line[2] != ',')
        reach_error();
    return 0;
}
