// expect: false or unknown
// Of two destructors the later one in the text has run before the earlier.
extern void reach_error(void);
static int state;

__attribute__((destructor)) static void first(void)
{
    if (state == 2)
        reach_error();
}
__attribute__((destructor)) static void second(void)
{
    state = 2;
}
int main(void)
{
    return 0;
}
