// expect: false
// A constructor has run before main, and the variable is not zero.
extern void reach_error(void);
static int ready;

__attribute__((constructor)) static void set(void)
{
    ready = 1;
}
int main(void)
{
    if (ready)
        reach_error();
    return 0;
}
