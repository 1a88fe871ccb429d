// expect: true or unknown
// __sync_fetch_and_nand stores the complement of the conjunction.
extern void reach_error(void);

int main(void)
{
    int n = 6;
    int before = __sync_fetch_and_nand(&n, 3);
    if (before != 6 || n != ~2)
        reach_error();
    return 0;
}
