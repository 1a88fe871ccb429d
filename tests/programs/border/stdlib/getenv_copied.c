// expect: true or unknown
// property: valid-deref
// environment: PROVA_TEXT=longer than eight
// The length of the value is asked before it is copied.
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char path[8];
    char *value = getenv("PROVA_TEXT");
    if (!value)
        return 0;
    if (strlen(value) >= sizeof path)
        return 0;
    strcpy(path, value);
    return path[0];
}
