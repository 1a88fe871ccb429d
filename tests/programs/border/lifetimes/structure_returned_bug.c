// expect: false or unknown
// A member of a structure that is returned is what the function put there.
extern void reach_error(void);
struct pair {
    int a[2];
};

static struct pair make(int n)
{
    struct pair p = {{n, n + 1}};
    return p;
}
int main(void)
{
    if (make(3).a[1] == 4)
        reach_error();
    return 0;
}
