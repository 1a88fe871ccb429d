// expect: true or unknown
// property: no-uninit-read
// bits: 64
// stdin: ""
// At the end of the input fgets writes nothing, which is asked.
#include <stdio.h>

int main(void)
{
    char line[8];
    if (!fgets(line, sizeof line, stdin))
        return 0;
    if (line[0] == 'a')
        return 1;
    return 0;
}
