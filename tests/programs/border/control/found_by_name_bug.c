// expect: false or unknown
// options: -D _GNU_SOURCE
// gcc: -rdynamic -ldl -D_GNU_SOURCE
// dlsym finds a function of the program that nobody calls otherwise.
#include <dlfcn.h>
extern void reach_error(void);
int harmless;

void hidden(void)
{
    reach_error();
}
int main(void)
{
    void (*f)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "hidden");
    if (f)
        f();
    return 0;
}
