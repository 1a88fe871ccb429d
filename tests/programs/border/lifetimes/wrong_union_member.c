// expect: true
// inputs: 1
// What a member of a union wrote is read by that member.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
union both {
    int n;
    unsigned char byte[4];
};

int main(void)
{
    union both u;
    u.n = __VERIFIER_nondet_int();
    if (u.n != 1)
        return 0;
    if (u.n != 1 || u.byte[0] + u.byte[3] != 1)
        reach_error();
    return 0;
}
