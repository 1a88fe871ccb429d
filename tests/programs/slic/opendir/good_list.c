// expect: true
extern int __VERIFIER_nondet_int(void);
#include <dirent.h>

int main(void)
{
    DIR *folder = opendir(".");
    int entries = 0;
    if (!folder)
        return 1;
    while (readdir(folder) != 0)
        entries ^= 1;
    closedir(folder);
    return entries;
}
