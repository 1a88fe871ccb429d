// expect: true
// What a static pointer was initialised with is where it leads.
extern void reach_error(void);
static int v[4] = {1, 2, 3, 4};
static int *p = &v[2], **q = &p;

int main(void)
{
    if (**q != 3 || *q - v != 2)
        reach_error();
    return 0;
}
