// expect: true
extern int __VERIFIER_nondet_int(void);
int setuid(unsigned user);
int setgid(unsigned group);
int setgroups(unsigned long count, const unsigned *groups);

int main(void)
{
    if (setgroups(0, 0) != 0)
        return 1;
    if (setgid(100) != 0)
        return 1;
    if (setuid(1000) != 0)
        return 1;
    return 0;
}
