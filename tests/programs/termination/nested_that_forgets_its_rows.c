// expect: false
// As `nested_with_one_margin.c`, but nothing changes what the outer loop asks for.
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
            cut = 1;
        }
    }
    return cut;
}
