// expect: false
// property: valid-deref
// The text is measured after it was freed.
#include <stdlib.h>
#include <string.h>

int main(void)
{
    size_t n;
    char *text = malloc(4);
    if (!text)
        return 1;
    strcpy(text, "abc");
    free(text);
    n = strlen(text);
    return (int)n;
}
