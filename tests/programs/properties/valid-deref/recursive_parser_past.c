// expect: false
// A parser that steps over what must be a parenthesis without a look at it.
extern char __VERIFIER_nondet_char(void);
static int sum(const char **at, int *value)
{
    int left = 0;
    if (**at == '(') { // bad
        *at += 2;
        if (!sum(at, &left))
            return 0;
        ++*at;
    } else {
        return 0;
    }
    *value = left;
    return 1;
}
int main(void)
{
    char text[4];
    for (int i = 0; i < 3; i++)
        text[i] = __VERIFIER_nondet_char();
    text[3] = 0;
    const char *at = text;
    int value = 0;
    sum(&at, &value);
    return value;
}
