// expect: true
// The value of a range is computed once.
extern void reach_error(void);
static int calls;
static int next(void) { return ++calls; }

int main(void)
{
    int a[3] = {[0 ... 2] = next()};
    if (calls != 1 || a[0] != 1 || a[2] != 1)
        reach_error();
    return 0;
}
