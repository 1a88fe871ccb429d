// expect: true
// property: valid-deref
// The text is moved.
#include <string.h>

int main(void)
{
    char s[8] = " abc";
    memmove(s, s + 1, strlen(s));
    return s[0];
}
