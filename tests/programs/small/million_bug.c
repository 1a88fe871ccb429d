// expect: false
// A million rounds that add two, and one more before.

extern void reach_error(void);

int main(void)
{
    int s = 1;
    for (int i = 0; i < 1000000; i++)
        s += 2;
    if (s != 2000000)
        reach_error();
    return 0;
}
