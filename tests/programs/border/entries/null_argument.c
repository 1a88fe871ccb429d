// expect: true
// property: no-null-deref
// options: --entry first --pointers nullable
// native: extern int first(const int *); int main(void) { return first(0); }
// The parameter is asked for.

int first(const int *v)
{
    if (!v)
        return 0;
    return v[0];
}
