// expect: false
// An array that was initialised with a literal may be written.
extern void reach_error(void);

int main(void)
{
    char here[] = "abc";
    const char *there = "abc";
    here[0] = 'x';
    if (here[0] == 'x')
        reach_error();
    return 0;
}
