// expect: true
// strtol stops at the first character that is no digit, and says where.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    const char *text = " -12x";
    char *end;
    long n = strtol(text, &end, 10);
    if (n != -12 || end != text + 4)
        reach_error();
    return 0;
}
