// expect: true or unknown
// The function that the resolver chooses is called.
extern void reach_error(void);

static int two(void)
{
    return 2;
}
static int (*resolve(void))(void)
{
    return two;
}
int chosen(void) __attribute__((ifunc("resolve")));

int main(void)
{
    if (chosen() != 2)
        reach_error();
    return 0;
}
