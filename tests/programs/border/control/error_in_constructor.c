// expect: true
// A constructor that finds zero in its variable is content.
extern void reach_error(void);
static int wanted;

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
