// expect: false or unknown
// property: no-null-deref
// A file that cannot be opened gives a null pointer, and is read.
#include <stdio.h>

int main(void)
{
    FILE *file = fopen("no such folder/no such file", "r");
    int c;
    c = fgetc(file);
    fclose(file);
    return c == 'x';
}
