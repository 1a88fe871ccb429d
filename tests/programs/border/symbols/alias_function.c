// expect: true
// The alias is the function that it names.
extern void reach_error(void);

int original(int n)
{
    return n + 1;
}
int other(int n) __attribute__((alias("original")));

int main(void)
{
    if (other(3) != 4)
        reach_error();
    return 0;
}
