// expect: false
// __sync_bool_compare_and_swap says whether it did.
extern void reach_error(void);

int main(void)
{
    long n = 5;
    if (__sync_bool_compare_and_swap(&n, 5, 6) && n == 6)
        reach_error();
    return 0;
}
