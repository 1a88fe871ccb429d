// expect: false or unknown
// Index and value are taken in some order: gcc takes the index first.
extern void reach_error(void);
static int n;

static int next(void)
{
    return n++;
}
int main(void)
{
    int v[2] = {7, 7};
    v[next()] = next();
    if (v[0] == 1)
        reach_error();
    return 0;
}
