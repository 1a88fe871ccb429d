// expect: true
// A static variable stays.

static int *keep;
static void set(void)
{
    static int x = 3;
    keep = &x;
}
int main(void)
{
    set();
    return *keep;
}
