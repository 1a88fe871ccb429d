// expect: true
// The global pointer is set in time.

static int x, *p;
static int use(void)
{
    return *p;
}
int main(void)
{
    p = &x;
    return use();
}
