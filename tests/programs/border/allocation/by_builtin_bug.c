// expect: false or unknown
// property: no-null-deref
// allocations: fail 1
// The builtin of malloc may fail, too.

int main(void)
{
    int *p = __builtin_malloc(sizeof *p);
    *p = 1;
    __builtin_free(p);
    return 0;
}
