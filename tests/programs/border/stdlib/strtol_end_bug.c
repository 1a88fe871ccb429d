// expect: false
// strtol stops at the first character that is no digit, not at the end.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    const char *text = " -12x";
    char *end;
    long n = strtol(text, &end, 10);
    if (*end != 0)
        reach_error();
    return 0;
}
