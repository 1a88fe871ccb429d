// expect: true
// A function of the program with the name of a library function is the program's.
extern void reach_error(void);

static char *strpbrk(const char *text, const char *set)
{
    (void)set;
    return (char *)text + 1;
}
int main(void)
{
    const char *text = "abc";
    if (strpbrk(text, "a") != text + 1)
        reach_error();
    return 0;
}
