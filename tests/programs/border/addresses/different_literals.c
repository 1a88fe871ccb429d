// expect: true
extern void reach_error(void);

int main(void)
{
    const char *a = "ab", *b = "ac", *c = a;
    if (a == b || a != c)
        reach_error();
    return 0;
}
