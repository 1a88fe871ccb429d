// expect: true
// strncpy fills the rest with zeros.
#include <string.h>
extern void reach_error(void);

int main(void)
{
    char to[6] = "abcde";
    strncpy(to, "x", 5);
    if (to[4] != 0)
        reach_error();
    return 0;
}
