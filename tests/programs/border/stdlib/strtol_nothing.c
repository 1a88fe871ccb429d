// expect: true
// Without a digit the end is where the text begins.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    const char *text = "+x";
    char *end = 0;
    long n = strtol(text, &end, 10);
    if (n != 0 || end != text)
        reach_error();
    return 0;
}
