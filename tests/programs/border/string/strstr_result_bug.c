// expect: false
// strstr finds an empty string at once.
#include <string.h>
extern void reach_error(void);

int main(void)
{
    const char *text = "abab";
    if (strstr(text, "") == text)
        reach_error();
    return 0;
}
