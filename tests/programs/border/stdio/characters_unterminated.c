// expect: true or unknown
// property: valid-deref
// %3c stores three characters, and a terminator is written by hand.
#include <stdio.h>
#include <string.h>

int main(void)
{
    char word[3];
    if (sscanf("abcdef", "%3c", word) != 1)
        return 0;
    word[2] = 0;
    return (int)strlen(word);
}
