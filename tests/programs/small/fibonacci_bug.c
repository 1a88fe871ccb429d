// expect: false
// A doubly recursive function with a constant argument, and a wrong guess.

extern void reach_error(void);

int fibonacci(int n)
{
    if (n < 2)
        return n;
    return fibonacci(n - 1) + fibonacci(n - 2);
}

int main(void)
{
    if (fibonacci(15) == 610)
        reach_error();
    return 0;
}
