// expect: true
// property: valid-deref
// Both parts and one terminator fit.
#include <string.h>

int main(void)
{
    char line[8] = "abcd";
    strcat(line, "efg");
    return (int)strlen(line) & 1;
}
