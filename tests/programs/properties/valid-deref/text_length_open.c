// expect: false
// Nobody put a terminator there.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
static int length(const char *s)
{
    const char *p = s;
    while (*p != '\0') // bad
        p++;
    return (int)(p - s);
}
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1)
        n = 1;
    char *text = malloc(n);
    for (int i = 0; i < n; i++)
        text[i] = __VERIFIER_nondet_char();
    int l = length(text);
    free(text);
    return l;
}
