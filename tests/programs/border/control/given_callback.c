// expect: true or unknown
// native: void each(void (*f)(int)) { f(1); f(2); }
// The function that is given away may be called, and is ready for it.
extern void reach_error(void);
extern void each(void (*f)(int));
static int total;

static void add(int n)
{
    (void)n;
    total = 1;
}
int main(void)
{
    each(add);
    if (total != 0 && total != 1)
        reach_error();
    return 0;
}
