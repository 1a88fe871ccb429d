// expect: pure true, havoc false
// A function without a body sets a variable through its argument.
extern void reach_error(void);
extern void get(int *to);

int main(void)
{
    int x = 1;
    get(&x);
    if (x != 1)
        reach_error();
    return 0;
}
