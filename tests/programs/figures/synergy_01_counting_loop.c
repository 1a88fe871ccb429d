// expect: false
// After SYNERGY Figure 1: the error needs a bad input, not a way around the loop.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int limit = __VERIFIER_nondet_int();
    int count = 0, sum = 0;
    while (count < 1000) {
        sum = sum + count;
        count = count + 1;
    }
    if (limit <= 0)
        reach_error();
    return sum;
}
