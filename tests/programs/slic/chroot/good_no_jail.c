// expect: true
extern int __VERIFIER_nondet_int(void);
int chroot(const char *path);
int chdir(const char *path);
int open(const char *path, int flags, ...);

static int enter(const char *path)
{
    if (!path)
        return 0;
    return chroot(path) == 0 ? chdir("/") : -1;
}
int main(void)
{
    if (enter(__VERIFIER_nondet_int() ? "/jail" : 0) != 0)
        return 1;
    return open("data", 0) < 0;
}
