// expect: true or unknown
// gcc: -O2 -fno-builtin
// The end of a literal may be another literal, or not.
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
    if (a[4] != b[0])
        reach_error();
    return 0;
}
