// expect: true
// property: no-null-deref
// allocations: fail 1
// The builtin of malloc may fail, too, and is asked.

int main(void)
{
    int *p = __builtin_malloc(sizeof *p);
    if (!p)
        return 1;
    *p = 1;
    __builtin_free(p);
    return 0;
}
