// expect: false
// A bit-field of 32 bits can be the maximum.
extern int __VERIFIER_nondet_int(void);

struct wide { int all : 32; };
int main(void)
{
    struct wide w = { 0 };
    w.all = __VERIFIER_nondet_int();
    int next = w.all + 1; // bad
    return next;
}
