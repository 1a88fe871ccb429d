// expect: false or unknown
extern void reach_error(void);

int main(void)
{
    const char *a = "ab", *b = "ab";
    if (a == b)
        reach_error();
    return 0;
}
