// expect: false or unknown
// options: -D _XOPEN_SOURCE=600
// gcc: -D_XOPEN_SOURCE=600
// nftw calls its function for the folder itself.
#include <ftw.h>
extern void reach_error(void);

static int visit(const char *name, const struct stat *info, int flag, struct FTW *at)
{
    (void)info;
    (void)flag;
    (void)at;
    if (name != 0)
        reach_error();
    return 1;
}
int main(void)
{
    nftw("/", visit, 4, FTW_PHYS);
    return 0;
}
