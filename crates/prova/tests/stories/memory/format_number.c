// check: --property valid-deref
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    char text[3];
    unsigned value = __VERIFIER_nondet_uint(), n = 0;
    do {
        text[n++] = '0' + value % 10;
        value /= 10;
    } while (value && value < 2000);
    text[n] = '\0';
    return text[0];
}
