// expect: false
// A constructor runs although nobody calls it.
extern void reach_error(void);
static int wanted = 1;

__attribute__((constructor)) static void check(void)
{
    if (wanted)
        reach_error();
}
int main(void)
{
    wanted = 0;
    return 0;
}
