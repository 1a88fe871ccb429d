// expect: true
extern int __VERIFIER_nondet_int(void);
int setuid(unsigned user);
int setgid(unsigned group);
int setgroups(unsigned long count, const unsigned *groups);

static int drop(unsigned user, unsigned group)
{
    if (setgid(group))
        return -1;
    return setuid(user);
}
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n > 0)
        return drop(n, n);
    setgroups(0, 0);
    return drop(1, 1);
}
