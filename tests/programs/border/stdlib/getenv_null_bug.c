// expect: false
// property: no-null-deref
// A variable of the environment need not be there.
#include <stdlib.h>

int main(void)
{
    char *home = getenv("PROVA_NOT_SET");
    return home[0] == '/';
}
