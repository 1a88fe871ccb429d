// expect: true
// A structure that is passed is a copy.
extern void reach_error(void);
struct view {
    int n, *at;
};

static void change(struct view v)
{
    v.n = 9;
    *v.at = 9;
}
int main(void)
{
    int x = 1;
    struct view v = {1, &x};
    change(v);
    if (v.n != 1)
        reach_error();
    return 0;
}
