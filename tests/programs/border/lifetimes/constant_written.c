// expect: true
// property: valid-deref
// A variable is written through a pointer.
static int limit = 3;

static void set(int *at)
{
    *at = 4;
}
int main(void)
{
    set((int *)&limit);
    return limit == 9;
}
