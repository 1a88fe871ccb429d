// expect: false
// A function of the program with the name of printf writes a variable.
extern void reach_error(void);
static int lines;

int printf(const char *format, ...)
{
    lines += format[0] != 0;
    return 0;
}
int main(void)
{
    printf("hello %d", 1);
    if (lines == 1)
        reach_error();
    return 0;
}
