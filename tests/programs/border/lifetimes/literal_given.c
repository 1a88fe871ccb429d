// expect: true
// property: valid-deref
// A copy is cut.
#include <string.h>

static void cut(char *text)
{
    char *at = strchr(text, ',');
    if (at)
        *at = 0;
}
int main(void)
{
    char line[] = "a,b";
    cut(line);
    return 0;
}
