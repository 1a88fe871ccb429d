// expect: false or unknown
// inputs: 1
// A truth value may be 1, also where nobody declared its function.
extern void reach_error(void);

int main(void)
{
    int b = __VERIFIER_nondet_bool();
    if (b & 1)
        reach_error();
    return 0;
}
