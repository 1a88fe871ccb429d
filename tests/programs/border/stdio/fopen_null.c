// expect: true or unknown
// property: no-null-deref
// A file that cannot be opened gives a null pointer, which is asked.
#include <stdio.h>

int main(void)
{
    FILE *file = fopen("no such folder/no such file", "r");
    int c;
    if (!file)
        return 1;
    c = fgetc(file);
    fclose(file);
    return c == 'x';
}
