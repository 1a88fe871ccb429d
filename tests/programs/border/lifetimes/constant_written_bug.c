// expect: false
// property: valid-deref
// shown by: a crash of the program
// A constant is written through a pointer.
static const int limit = 3;

static void set(int *at)
{
    *at = 4;
}
int main(void)
{
    set((int *)&limit);
    return limit == 9;
}
