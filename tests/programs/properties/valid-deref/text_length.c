// expect: true or unknown
// A walk to the end of a text of any length: it ends where the terminator was put.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
static int length(const char *s)
{
    const char *p = s;
    while (*p != '\0')
        p++;
    return (int)(p - s);
}
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1)
        n = 1;
    char *text = malloc(n);
    for (int i = 0; i < n - 1; i++)
        text[i] = __VERIFIER_nondet_char();
    text[n - 1] = '\0';
    int l = length(text);
    free(text);
    return l;
}
