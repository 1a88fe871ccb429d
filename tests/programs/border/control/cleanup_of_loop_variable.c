// expect: true or unknown
// A variable of the loop's head is cleaned up once, behind the loop.
extern void reach_error(void);
static int cleaned;

static void clean(int *at)
{
    cleaned += *at;
}
int main(void)
{
    for (__attribute__((cleanup(clean))) int i = 0; i < 3; i++)
        if (cleaned)
            return 1;
    if (cleaned != 3)
        reach_error();
    return 0;
}
