// expect: true
// strrchr finds the last one.
#include <string.h>
extern void reach_error(void);

int main(void)
{
    const char *path = "a/b/c";
    if (strrchr(path, '/') != path + 3)
        reach_error();
    return 0;
}
