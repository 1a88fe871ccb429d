// expect: true
extern int __VERIFIER_nondet_int(void);
int table[100];
int main(void)
{
    int wanted = __VERIFIER_nondet_int();
    int low = 0, high = 100;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (table[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
