// expect: true
extern int __VERIFIER_nondet_int(void);
#include <dirent.h>

static int empty(DIR *folder)
{
    rewinddir(folder);
    return readdir(folder) == 0;
}
int main(void)
{
    DIR *outer = opendir("a"), *inner;
    int result;
    if (!outer)
        return 1;
    inner = opendir("a/b");
    if (inner) {
        result = empty(inner);
        closedir(inner);
    }
    result = empty(outer);
    closedir(outer);
    return result;
}
