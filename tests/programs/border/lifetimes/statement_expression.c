// expect: true or unknown
// property: valid-deref
// The value of a statement expression is copied out.

int main(void)
{
    int v = ({ int x = 3; x; });
    int *p = &v;
    return *p == 5;
}
