// check: --property valid-deref
extern unsigned __VERIFIER_nondet_uint(void);
static int table[8];
int main(void)
{
    unsigned key = __VERIFIER_nondet_uint();
    unsigned at = key % 9;
    table[at] = 1;
    return table[0];
}
