// expect: true or unknown
// Two literals of the same text have the same text.
extern void reach_error(void);

int main(void)
{
    const char *a = "same", *b = "same";
    if (a[2] != b[2])
        reach_error();
    return 0;
}
