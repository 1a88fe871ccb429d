// expect: false
// The lower end stays where it is when two are left.
extern int __VERIFIER_nondet_int(void);
int table[100];
int main(void)
{
    int wanted = __VERIFIER_nondet_int();
    int low = 0, high = 100;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (table[middle] < wanted)
            low = middle;
        else
            high = middle;
    }
    return low;
}
