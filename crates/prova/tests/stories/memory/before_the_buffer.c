// check: --property valid-deref
extern int __VERIFIER_nondet_int(void);
static char line[8];
static void trim(int length)
{
    while (line[length - 1] == '\0')
        length--;
    line[length] = '\n';
}
int main(void)
{
    int length = __VERIFIER_nondet_int();
    if (length < 1 || length > 4)
        return 0;
    trim(length);
    return 0;
}
