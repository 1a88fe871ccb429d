// expect: true
// property: valid-deref
// strtok cuts an array.
#include <string.h>

int main(void)
{
    char line[] = "a b";
    return strtok(line, " ") == 0;
}
