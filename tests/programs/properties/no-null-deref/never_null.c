// expect: true
// Variables and literals have addresses.

int main(void)
{
    int x = 1, *p = &x;
    const char *s = "text";
    return *p + s[1];
}
