// expect: false
// property: valid-deref
// shown by: a crash of the program
// A literal is given to a function that cuts it.
#include <string.h>

static void cut(char *text)
{
    char *at = strchr(text, ',');
    if (at)
        *at = 0;
}
int main(void)
{
    cut("a,b");
    return 0;
}
