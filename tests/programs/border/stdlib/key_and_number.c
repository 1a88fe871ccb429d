// expect: true or unknown
// property: valid-deref
// inputs: 97, 61, 49, 48, 48, 0, 0
// A number behind a key is read, its end and its range are looked at.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
extern char __VERIFIER_nondet_char(void);
static int table[100];

int main(void)
{
    char text[8];
    for (int i = 0; i < 7; i++)
        text[i] = __VERIFIER_nondet_char();
    text[7] = 0;
    char *value = strchr(text, '=');
    if (!value)
        return 1;
    value++;
    char *end;
    errno = 0;
    long n = strtol(value, &end, 10);
    if (end == value || *end != 0)
        return 2;
    if (errno != 0 || n < 0 || n >= 100)
        return 3;
    table[n] = 1;
    return 0;
}
