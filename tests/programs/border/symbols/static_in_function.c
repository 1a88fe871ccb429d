// expect: true
// A static variable keeps its value from call to call.
extern void reach_error(void);

static int next(void)
{
    static int n = 4;
    return n++;
}
int main(void)
{
    next();
    if (next() != 5)
        reach_error();
    return 0;
}
