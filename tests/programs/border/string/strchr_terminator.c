// expect: true
// strchr finds the terminator, too.
#include <string.h>
extern void reach_error(void);

int main(void)
{
    const char *text = "ab";
    if (strchr(text, 0) != text + 2)
        reach_error();
    return 0;
}
