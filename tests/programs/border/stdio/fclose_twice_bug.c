// expect: false or unknown
// property: valid-free
// The file is closed twice.
#include <stdio.h>

int main(void)
{
    FILE *file = fopen("/dev/null", "r");
    if (!file)
        return 1;
    fclose(file);
    fclose(file);
    return 0;
}
