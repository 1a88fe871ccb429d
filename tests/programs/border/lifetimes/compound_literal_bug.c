// expect: false
// property: valid-deref
// A compound literal ends with its block.

int main(void)
{
    int *p = 0, r = 0;
    {
        p = (int[]){1, 2, 3};
    }
    r = p[1];
    return r;
}
