// expect: false or unknown
// property: valid-deref
// %3c stores three characters and no terminator.
#include <stdio.h>
#include <string.h>

int main(void)
{
    char word[3];
    if (sscanf("abcdef", "%3c", word) != 1)
        return 0;
    return (int)strlen(word);
}
