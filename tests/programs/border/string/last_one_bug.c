// expect: false
// strrchr finds the last one, not the first.
#include <string.h>
extern void reach_error(void);

int main(void)
{
    const char *path = "a/b/c";
    if (strrchr(path, '/') != strchr(path, '/'))
        reach_error();
    return 0;
}
