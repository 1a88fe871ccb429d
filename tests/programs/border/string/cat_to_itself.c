// expect: true
// property: valid-deref
// A copy is added to the text.
#include <string.h>

int main(void)
{
    char s[8] = "ab", t[4] = "ab";
    strcat(s, t);
    return s[0];
}
