// expect: true
// The two forms give the value before and the value after.
extern void reach_error(void);

int main(void)
{
    int n = 5;
    int before = __sync_fetch_and_add(&n, 1), after = __sync_add_and_fetch(&n, 1);
    if (before != 5 || after != 7)
        reach_error();
    return 0;
}
