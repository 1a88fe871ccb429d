// expect: false or unknown
// property: valid-deref
// environment: PROVA_TEXT=longer than eight
// A value of the environment may be longer than the buffer.
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char path[8];
    char *value = getenv("PROVA_TEXT");
    if (!value)
        return 0;
    strcpy(path, value);
    return path[0];
}
