// expect: true
// A circle that is entered at two places.
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    unsigned char n = 200;
    if (__VERIFIER_nondet_int())
        goto second;
first:
    if (n == 0)
        return 0;
    n--;
second:
    if (n > 0)
        goto first;
    return 0;
}
