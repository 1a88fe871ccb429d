// expect: false
// property: valid-deref
// The text is freed, and then printed.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *text = malloc(2);
    if (!text)
        return 1;
    text[0] = 'x';
    text[1] = 0;
    free(text);
    puts(text);
    return 0;
}
