// expect: true
// The bytes of an int, in the order of this machine.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    union { unsigned word; unsigned char byte[4]; } u;
    u.word = (unsigned)__VERIFIER_nondet_int();
    unsigned back = u.byte[0] | u.byte[1] << 8 | u.byte[2] << 16 | (unsigned)u.byte[3] << 24;
    if (back != u.word)
        reach_error();
    return 0;
}
