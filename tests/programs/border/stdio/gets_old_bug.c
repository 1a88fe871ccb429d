// expect: false or unknown
// property: valid-deref
// stdin: "a longer line\n"
// gets knows no bound.
#include <stdio.h>
#include <string.h>
extern char *gets(char *to);

int main(void)
{
    char line[8];
    if (!gets(line))
        return 0;
    return (int)strlen(line);
}
