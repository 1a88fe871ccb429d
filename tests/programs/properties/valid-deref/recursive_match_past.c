// expect: false
// The same without a look at the end of the text.
extern char __VERIFIER_nondet_char(void);
static int here(const char *pattern, const char *text, int *far)
{
    int more = 0;
    if (!*pattern)
        return 1;
    if (*pattern == '*') {
        if (here(pattern + 1, text, &more)) {
            *far = more;
            return 1;
        }
        return here(pattern, text + 1, far);
    }
    if (*pattern == *text) { // bad
        int ok = here(pattern + 1, text + 1, &more);
        *far = more + 1;
        return ok;
    }
    return 0;
}
int main(void)
{
    char text[3];
    text[0] = __VERIFIER_nondet_char();
    text[1] = __VERIFIER_nondet_char();
    text[2] = 0;
    int far = 0;
    return here("a*b", text, &far) + far;
}
