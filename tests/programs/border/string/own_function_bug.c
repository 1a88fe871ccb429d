// expect: false
// A function of the program with the name of a library function does what its text says.
extern void reach_error(void);

static char *strpbrk(const char *text, const char *set)
{
    (void)set;
    return (char *)text + 1;
}
int main(void)
{
    const char *text = "abc";
    if (strpbrk(text, "a") != text)
        reach_error();
    return 0;
}
