// expect: unknown
extern void reach_error(void);

int main(void)
{
    const char *a = "cab", *b = "ab";
    if (a + 1 == b)
        reach_error();
    return 0;
}
