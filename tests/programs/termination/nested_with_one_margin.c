// expect: true rows - margin
// Both loops stop at the same number: whoever unwinds them follows one inside of the other.
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int rows = __VERIFIER_nondet_int();
    int columns = __VERIFIER_nondet_int();
    int margin = __VERIFIER_nondet_int();
    int cut = 0;
    while (rows > margin) {
        while (columns > margin) {
            columns--;
            cut = cut + 1;
        }
        rows--;
    }
    return cut;
}
