/* Figure 6 (Yorsh, Ball, Sagiv, section 5.3): an error behind five hundred rounds. */
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = 0;
    while (1) {
head:
        if (__VERIFIER_nondet_int()) {
            n++;
        } else {
            if (n >= 500)
                reach_error();
            n = 0;
        }
        if (n > 1000)
            n = 1000;
    }
}
