// expect: true or unknown
// Recursive descent over a text of four bytes: sums in parentheses.
extern char __VERIFIER_nondet_char(void);
static int sum(const char **at, int *value)
{
    int left = 0;
    if (**at == '(') {
        ++*at;
        if (!sum(at, &left) || **at != ')')
            return 0;
        ++*at;
    } else if (**at >= '0' && **at <= '9') {
        left = **at - '0';
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
