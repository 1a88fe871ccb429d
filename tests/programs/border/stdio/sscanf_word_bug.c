// expect: false
// property: valid-deref
// sscanf writes a terminator behind the word.
#include <stdio.h>

int main(void)
{
    char word[4];
    return sscanf("abcd ef", "%s", word);
}
