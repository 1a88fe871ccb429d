// expect: false
extern int __VERIFIER_nondet_int(void);
int chroot(const char *path);
int chdir(const char *path);
int open(const char *path, int flags, ...);

static int enter(const char *path, int move)
{
    if (chroot(path) != 0)
        return -1;
    return move > 0 ? chdir("/") : 0;
}
int main(void)
{
    if (enter("/jail", __VERIFIER_nondet_int()) != 0)
        return 1;
    return open("data", 0) < 0; // bad
}
