/* Two processes of the Bakery protocol (Yorsh, Ball, Sagiv, section 5.2): which one moves is an input.
   Tickets stay below a million, so that none of them wraps around. */
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
enum { A, B, C, D };

int main(void)
{
    int pc1 = A, pc2 = A;
    int x1 = 0, x2 = 0;
    while (1) {
step:
        if (pc1 == D && pc2 == D)
            reach_error();
        __VERIFIER_assume(x1 < 1000000 && x2 < 1000000 && x1 >= 0 && x2 >= 0);
        if (__VERIFIER_nondet_int()) {
            if (pc1 == A) {
                x1 = x2;
                pc1 = B;
            } else if (pc1 == B) {
                x1 = x1 + 1;
                pc1 = C;
            } else if (pc1 == C) {
                if (x1 <= x2)
                    pc1 = D;
            } else {
                x1 = 0;
                pc1 = A;
            }
        } else {
            if (pc2 == A) {
                x2 = x1;
                pc2 = B;
            } else if (pc2 == B) {
                x2 = x2 + 1;
                pc2 = C;
            } else if (pc2 == C) {
                if (x2 < x1)
                    pc2 = D;
            } else {
                x2 = 0;
                pc2 = A;
            }
        }
    }
}
