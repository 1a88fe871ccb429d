// expect: false or unknown
// property: valid-deref
// The address of a variable of a statement expression outlives it.

int main(void)
{
    int *p = ({ int x = 3; int *q = &x; q; });
    return *p == 5;
}
