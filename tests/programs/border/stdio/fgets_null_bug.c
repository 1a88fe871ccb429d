// expect: false or unknown
// property: no-uninit-read
// bits: 64
// stdin: ""
// At the end of the input fgets writes nothing, and the line is read.
#include <stdio.h>

int main(void)
{
    char line[8];
    fgets(line, sizeof line, stdin);
    if (line[0] == 'a')
        return 1;
    return 0;
}
