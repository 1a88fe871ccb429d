// expect: false or unknown
// property: valid-deref
// stdin: "abcdefgh"
// scanf reads a word of any length.
#include <stdio.h>

int main(void)
{
    char word[8];
    return scanf("%s", word) == 1 && word[0] == 'a';
}
