// expect: true
// The constructor with the smaller number runs first.
extern void reach_error(void);
static int value = 1;

__attribute__((constructor(300))) static void twice(void)
{
    value = value * 2;
}
__attribute__((constructor(200))) static void more(void)
{
    value = value + 3;
}
int main(void)
{
    if (value != 8)
        reach_error();
    return 0;
}
