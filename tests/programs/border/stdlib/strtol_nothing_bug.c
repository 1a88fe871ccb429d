// expect: false
// Without a digit nothing is read, the sign neither.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    const char *text = "+x";
    char *end = 0;
    long n = strtol(text, &end, 10);
    if (end == text)
        reach_error();
    return 0;
}
