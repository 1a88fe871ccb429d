// expect: false
// A static variable keeps its value from call to call, and starts once.
extern void reach_error(void);

static int next(void)
{
    static int n = 4;
    return n++;
}
int main(void)
{
    next();
    if (next() != 4)
        reach_error();
    return 0;
}
