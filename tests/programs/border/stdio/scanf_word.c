// expect: true
// property: valid-deref
// stdin: "abcdefgh"
// A width keeps scanf inside the buffer.
#include <stdio.h>

int main(void)
{
    char word[8];
    return scanf("%7s", word) == 1 && word[0] == 'a';
}
