// expect: true or unknown
// inputs: 1
// A truth value is 0 or 1, also where nobody declared its function.
extern void reach_error(void);

int main(void)
{
    int b = __VERIFIER_nondet_bool();
    if ((b & 255) > 1)
        reach_error();
    return 0;
}
