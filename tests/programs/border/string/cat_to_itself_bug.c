// expect: false
// property: valid-deref
// The text is added to itself, and never ends.
#include <string.h>

int main(void)
{
    char s[8] = "ab", t[4] = "ab";
    (void)t;
    strcat(s, s);
    return s[0];
}
