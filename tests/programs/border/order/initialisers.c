// expect: true or unknown
// Elements of an initialiser get each a number of their own.
extern void reach_error(void);
static int n;

static int next(void)
{
    return n++;
}
int main(void)
{
    int v[2] = {next(), next()};
    if (v[0] + v[1] != 1)
        reach_error();
    return 0;
}
