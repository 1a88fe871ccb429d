// expect: true
extern int __VERIFIER_nondet_int(void);
int chroot(const char *path);
int chdir(const char *path);
int open(const char *path, int flags, ...);

int main(void)
{
    if (chroot("/jail") != 0)
        return 1;
    if (chdir("/") != 0)
        return 1;
    return open("data", 0) < 0;
}
