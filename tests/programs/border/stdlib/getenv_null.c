// expect: true or unknown
// property: no-null-deref
// A variable of the environment need not be there, which is asked.
#include <stdlib.h>

int main(void)
{
    char *home = getenv("PROVA_NOT_SET");
    if (!home)
        return 0;
    return home[0] == '/';
}
