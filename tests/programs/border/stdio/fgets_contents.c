// expect: true or unknown
// stdin: "ab\n"
// What fgets read ends with a terminator inside the buffer.
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    char line[4] = "zzz";
    if (!fgets(line, sizeof line, stdin))
        return 0;
    if (line[0] && line[1] && line[2] && line[3])
        reach_error();
    return 0;
}
