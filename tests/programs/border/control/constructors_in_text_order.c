// expect: true or unknown
// Constructors without a number run in the order of the text.
extern void reach_error(void);
static int value;

__attribute__((constructor)) static void first(void)
{
    value = 1;
}
__attribute__((constructor)) static void second(void)
{
    value = value == 1 ? 2 : 3;
}
int main(void)
{
    if (value != 2)
        reach_error();
    return 0;
}
