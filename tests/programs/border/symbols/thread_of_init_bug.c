// expect: false
// A static pointer leads into the array, to its third element.
extern void reach_error(void);
static int v[4] = {1, 2, 3, 4};
static int *p = &v[2], **q = &p;

int main(void)
{
    if (**q == 3)
        reach_error();
    return 0;
}
