// expect: false
// property: no-null-deref
// options: --entry first --pointers nullable
// native: extern int first(const int *); int main(void) { return first(0); }
// The parameter may be null.

int first(const int *v)
{
    return v[0];
}
