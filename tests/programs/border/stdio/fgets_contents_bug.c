// expect: false or unknown
// stdin: "ab\n"
// fgets reads what stands in the input, with the newline.
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    char line[4] = "zzz";
    if (!fgets(line, sizeof line, stdin))
        return 0;
    if (line[0] == 'a' && line[2] == '\n')
        reach_error();
    return 0;
}
