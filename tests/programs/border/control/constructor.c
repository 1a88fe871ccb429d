// expect: true
// A constructor has run before main.
extern void reach_error(void);
static int ready;

__attribute__((constructor)) static void set(void)
{
    ready = 1;
}
int main(void)
{
    if (!ready)
        reach_error();
    return 0;
}
