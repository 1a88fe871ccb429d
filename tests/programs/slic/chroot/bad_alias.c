// expect: false
extern int __VERIFIER_nondet_int(void);
int chroot(const char *path);
int chdir(const char *path);
int open(const char *path, int flags, ...);

static int result;
int main(void)
{
    int spare = 1;
    int *moved = __VERIFIER_nondet_int() ? &result : &spare;
    result = chroot("/jail");
    if (result != 0)
        return 1;
    *moved = 5;
    if (result == 5)
        result = chdir("/");
    if (result == 0)
        return open("data", 0) < 0; // bad
    return 1;
}
