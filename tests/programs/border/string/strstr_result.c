// expect: true
// strstr finds the first place.
#include <string.h>
extern void reach_error(void);

int main(void)
{
    const char *text = "abab";
    if (strstr(text, "ba") != text + 1)
        reach_error();
    return 0;
}
