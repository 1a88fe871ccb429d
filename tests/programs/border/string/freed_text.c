// expect: true
// property: valid-deref
// The text is measured while it lives.
#include <stdlib.h>
#include <string.h>

int main(void)
{
    size_t n;
    char *text = malloc(4);
    if (!text)
        return 1;
    strcpy(text, "abc");
    n = strlen(text);
    free(text);
    return (int)n;
}
