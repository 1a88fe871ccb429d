// expect: true
// property: valid-deref
// A word of four letters needs five bytes.
#include <stdio.h>

int main(void)
{
    char word[5];
    return sscanf("abcd ef", "%s", word);
}
