// expect: false
// The last element is one too far: the sum misses it.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int a[5] = { 1, 2, 3, 4, 5 }, sum = 0;
    for (int i = 0; i < 4; i++)
        sum += a[i];
    if (sum != 15)
        reach_error();
    return 0;
}
