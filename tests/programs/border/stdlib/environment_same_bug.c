// expect: false or unknown
// environment: PROVA_TEXT=abc
// setenv changes what getenv finds.
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);

int main(void)
{
    char *a = getenv("PROVA_TEXT"), *b;
    if (setenv("PROVA_TEXT", "xyz", 1) != 0)
        return 0;
    b = getenv("PROVA_TEXT");
    if (a && b && *b == 'x')
        reach_error();
    return 0;
}
