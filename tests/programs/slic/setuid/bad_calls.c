// expect: false
extern int __VERIFIER_nondet_int(void);
int setuid(unsigned user);
int setgid(unsigned group);
int setgroups(unsigned long count, const unsigned *groups);

static int group(unsigned id, int privileged)
{
    return privileged ? setgid(id) : 0;
}
int main(void)
{
    if (group(100, __VERIFIER_nondet_int()) != 0)
        return 1;
    return setuid(1000); // bad
}
