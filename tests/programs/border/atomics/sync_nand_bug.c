// expect: false or unknown
// __sync_fetch_and_nand stores the complement of the conjunction, a negative number.
extern void reach_error(void);

int main(void)
{
    int n = 6;
    int before = __sync_fetch_and_nand(&n, 3);
    if (n < 0)
        reach_error();
    return 0;
}
