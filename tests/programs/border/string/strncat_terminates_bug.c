// expect: false
// property: valid-deref
// strncat writes a terminator behind the letters, here behind the buffer.
#include <string.h>

int main(void)
{
    char line[6] = "ab";
    strncat(line, "cdefgh", 4);
    return line[0];
}
