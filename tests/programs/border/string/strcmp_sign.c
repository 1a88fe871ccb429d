// expect: true
// strcmp compares as unsigned char, so a letter with a mark comes behind z.
#include <string.h>
extern void reach_error(void);

int main(void)
{
    char marked[2] = {(char)0xe9, 0};
    if (strcmp(marked, "z") < 0)
        reach_error();
    return 0;
}
