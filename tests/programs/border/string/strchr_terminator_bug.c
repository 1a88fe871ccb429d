// expect: false
// strchr finds the terminator: it does not return null for zero.
#include <string.h>
extern void reach_error(void);

int main(void)
{
    const char *text = "ab";
    if (strchr(text, 0) != 0)
        reach_error();
    return 0;
}
