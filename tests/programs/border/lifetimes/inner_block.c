// expect: true
// property: valid-deref
// The variable lives in the block where it is used.

int main(void)
{
    int *p, r = 1;
    int x = 4;
    p = &x;
    r = *p;
    return r;
}
