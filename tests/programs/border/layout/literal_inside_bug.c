// expect: false or unknown
// gcc: -O2 -fno-builtin
// The end of a literal is another literal here: the linker merges them.
extern void reach_error(void);
extern const char *volatile hold;
const char *volatile hold;

int main(void)
{
    const char *a, *b;
    hold = "the same end";
    a = hold;
    hold = "same end";
    b = hold;
    if (a + 4 == b)
        reach_error();
    return 0;
}
