// expect: true or unknown
// property: valid-free
// The file is closed once.
#include <stdio.h>

int main(void)
{
    FILE *file = fopen("/dev/null", "r");
    if (!file)
        return 1;
    fclose(file);
    return 0;
}
