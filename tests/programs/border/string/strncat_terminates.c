// expect: true
// property: valid-deref
// strncat writes as many letters as it may, and a terminator behind them.
#include <string.h>

int main(void)
{
    char line[6] = "ab";
    strncat(line, "cdefgh", 3);
    return line[0];
}
