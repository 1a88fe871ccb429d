// expect: true or unknown
// Index and value are taken in statements of their own.
extern void reach_error(void);
static int n;

static int next(void)
{
    return n++;
}
int main(void)
{
    int v[2] = {7, 7};
    int i = next();
    v[i] = next();
    if (v[0] != 1)
        reach_error();
    return 0;
}
