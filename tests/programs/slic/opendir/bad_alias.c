// expect: false
extern int __VERIFIER_nondet_int(void);
#include <dirent.h>

struct walk { DIR *at, *up; };
int main(void)
{
    struct walk w;
    w.at = w.up = opendir(".");
    if (__VERIFIER_nondet_int() > 3)
        w.up = opendir("..");
    if (!w.at || !w.up)
        return 1;
    closedir(w.at);
    closedir(w.up); // bad
    return 0;
}
