// expect: true or unknown
// options: -D _GNU_SOURCE
// gcc: -rdynamic -ldl -D_GNU_SOURCE
// dlsym may find nothing: that is asked, and what it finds is harmless.
#include <dlfcn.h>
extern void reach_error(void);
int harmless;

void hidden(void)
{
    harmless = 1;
}
int main(void)
{
    void (*f)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "hidden");
    if (f)
        f();
    return 0;
}
