// expect: false or unknown
// Elements of an initialiser are evaluated in some order; here from the first to the last.
extern void reach_error(void);
static int n;

static int next(void)
{
    return n++;
}
int main(void)
{
    int v[2] = {next(), next()};
    if (v[0] == 0)
        reach_error();
    return 0;
}
