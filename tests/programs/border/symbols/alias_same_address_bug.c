// expect: false or unknown
// Alias and function have one address, so they are equal.
extern void reach_error(void);

int original(void)
{
    return 1;
}
int other(void) __attribute__((alias("original")));

int main(void)
{
    int (*f)(void) = original, (*g)(void) = other;
    if (f == g)
        reach_error();
    return 0;
}
