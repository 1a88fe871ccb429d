// expect: true
// strchr looks for its argument as a char.
#include <string.h>
extern void reach_error(void);

int main(void)
{
    const char *text = "abc";
    if (strchr(text, 256 + 'c') != text + 2)
        reach_error();
    return 0;
}
