// expect: true
// property: valid-deref
// The text is printed, and then freed.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *text = malloc(2);
    if (!text)
        return 1;
    text[0] = 'x';
    text[1] = 0;
    puts(text);
    free(text);
    return 0;
}
