// expect: false
// A structure is copied from nowhere.
extern int __VERIFIER_nondet_int(void);

struct s { int a, b; };
int main(void)
{
    struct s s = { 1, 2 }, t = { 0, 0 }, *p = __VERIFIER_nondet_int() ? &s : 0;
    t = *p; // bad
    return t.a;
}
