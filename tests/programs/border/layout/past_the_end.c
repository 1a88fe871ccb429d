// expect: true or unknown
// The end of an array is not inside it.
extern void reach_error(void);
static int a[4], b[4];

int main(void)
{
    int *end = a + 4;
    if (end == a || end == a + 3)
        reach_error();
    return 0;
}
