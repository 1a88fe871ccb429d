// expect: true
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n > 2)
        goto end;
    {
        int x = 5;
        n = x;
    }
end:
    return n;
}
