// expect: true
// A literal is not an array.
extern void reach_error(void);

int main(void)
{
    char here[] = "abc";
    const char *there = "abc";
    here[0] = 'x';
    if (here == there || there[0] != 'a')
        reach_error();
    return 0;
}
