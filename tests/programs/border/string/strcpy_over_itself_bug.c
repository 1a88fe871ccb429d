// expect: false
// property: valid-deref
// The text is copied over itself.
#include <string.h>

int main(void)
{
    char s[8] = " abc";
    strcpy(s, s + 1);
    return s[0];
}
