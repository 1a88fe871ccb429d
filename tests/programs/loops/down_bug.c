// expect: false
// The loop goes one step too far.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int i = __VERIFIER_nondet_int(), floor = __VERIFIER_nondet_int();
    if (floor > i)
        return 0;
    while (i >= floor && i > -2000000000)
        i--;
    if (i != floor)
        reach_error();
    return 0;
}
