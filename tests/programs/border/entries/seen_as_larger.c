// expect: true
// property: valid-deref
// options: --entry second
// A structure is one, and its second member as well.
struct point {
    int x, y;
};

int second(struct point *p)
{
    int *y = &p->y;
    return *y;
}
