// expect: false
extern int __VERIFIER_nondet_int(void);
#include <dirent.h>

static int first_is_missing(DIR *folder)
{
    if (readdir(folder) == 0) {
        closedir(folder);
        return 1;
    }
    return 0;
}
int main(void)
{
    DIR *folder = opendir(".");
    if (!folder)
        return 1;
    first_is_missing(folder);
    readdir(folder); // bad
    closedir(folder);
    return 0;
}
