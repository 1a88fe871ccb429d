// expect: true
// __sync_val_compare_and_swap gives what was there.
extern void reach_error(void);

int main(void)
{
    long n = 5;
    if (__sync_val_compare_and_swap(&n, 4, 6) != 5 || n != 5)
        reach_error();
    return 0;
}
