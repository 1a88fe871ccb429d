// expect: false
// A pointer to a variable that is gone.

static int *keep;
static void set(void)
{
    int x = 3;
    keep = &x;
}
int main(void)
{
    set();
    return *keep; // bad
}
