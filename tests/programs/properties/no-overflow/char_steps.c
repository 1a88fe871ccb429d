// expect: true
// A char is computed as an int; the conversion back is no overflow.
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    char c = __VERIFIER_nondet_char();
    c++;
    c += 100;
    c = -c;
    return c;
}
