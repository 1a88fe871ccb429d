// expect: false
extern int __VERIFIER_nondet_int(void);
int setuid(unsigned user);
int setgid(unsigned group);
int setgroups(unsigned long count, const unsigned *groups);

struct ids { unsigned user, group; };
static void fill(unsigned *user, unsigned *group)
{
    *group = 100;
    *user = 0;
}
int main(void)
{
    struct ids ids = { 5, 5 };
    fill(&ids.user, __VERIFIER_nondet_int() ? &ids.group : &ids.user);
    if (ids.group == 100 && setgid(ids.group) != 0)
        return 1;
    return setuid(ids.user); // bad
}
