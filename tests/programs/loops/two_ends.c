// expect: true
// Two pointers into one array come towards each other and never pass.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum { SIZE = 30 };

int main(void)
{
    char cells[SIZE];
    char *low = cells, *high = cells + SIZE;
    while (low != high) {
        if (__VERIFIER_nondet_int())
            low++;
        else
            high--;
        if (low > high)
            reach_error();
    }
    return 0;
}
