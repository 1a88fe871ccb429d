// expect: true
// Figure 8: many paths, one fact.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int held, a = 0, b = 0, c = 0, d = 0, e = 0;
    held = 1;
    if (__VERIFIER_nondet_int()) a = a + 1; else a = a - 1;
    if (__VERIFIER_nondet_int()) b = b + 1; else b = b - 1;
    if (__VERIFIER_nondet_int()) c = c + 1; else c = c - 1;
    if (__VERIFIER_nondet_int()) d = d + 1; else d = d - 1;
    if (__VERIFIER_nondet_int()) e = e + 1; else e = e - 1;
    if (held != 1)
        reach_error();
    return a + b + c + d + e;
}
