// expect: false
// strcmp compares as unsigned char, so the first string is not the smaller one.
#include <string.h>
extern void reach_error(void);

int main(void)
{
    char marked[2] = {(char)0xe9, 0};
    if (strcmp(marked, "z") > 0)
        reach_error();
    return 0;
}
