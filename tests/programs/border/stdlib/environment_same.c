// expect: true or unknown
// environment: PROVA_TEXT=abc
// The environment does not change by itself.
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);

int main(void)
{
    char *a = getenv("PROVA_TEXT"), *b;
    b = getenv("PROVA_TEXT");
    if ((a == 0) != (b == 0))
        reach_error();
    return 0;
}
