// expect: false
// The constructor with the smaller number runs first, not the one above in the text.
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
    if (value != 5)
        reach_error();
    return 0;
}
