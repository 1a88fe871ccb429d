// expect: false or unknown
// not shown by gcc: it depends on where the variables are put
// The end of an array may be the beginning of the next.
extern void reach_error(void);
static int a[4], b[4];

int main(void)
{
    int *end = a + 4;
    if (end == b || b + 4 == a)
        reach_error();
    return 0;
}
