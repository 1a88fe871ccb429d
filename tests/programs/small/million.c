// expect: true
// A million rounds that add two.

extern void reach_error(void);

int main(void)
{
    int s = 0;
    for (int i = 0; i < 1000000; i++)
        s += 2;
    if (s != 2000000)
        reach_error();
    return 0;
}
