// expect: false or unknown
// inputs: 55
// The table behind the macros says that 7 is a digit.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern const unsigned short int **__ctype_b_loc(void);

int main(void)
{
    int c = __VERIFIER_nondet_int();
    if (c < 0 || c > 127)
        return 0;
    if (c == '7' && ((*__ctype_b_loc())[c] & 2048))
        reach_error();
    return 0;
}
