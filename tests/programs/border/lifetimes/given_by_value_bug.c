// expect: false
// A structure that is passed is a copy, but what its pointer leads to is not.
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
    if (x != 1)
        reach_error();
    return 0;
}
