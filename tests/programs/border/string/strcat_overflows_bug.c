// expect: false
// property: valid-deref
// Both parts fit, the terminator does not.
#include <string.h>

int main(void)
{
    char line[8] = "abcd";
    strcat(line, "efgh");
    return (int)strlen(line) & 1;
}
