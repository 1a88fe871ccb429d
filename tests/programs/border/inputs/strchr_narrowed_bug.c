// expect: false
// strchr looks for its argument as a char: 256 + 'b' is found.
#include <string.h>
extern void reach_error(void);

int main(void)
{
    const char *text = "abc";
    if (strchr(text, 256 + 'b') != 0)
        reach_error();
    return 0;
}
