// expect: true
// goto out of the block cleans up, once.
extern void reach_error(void);
static int cleaned;

static void clean(int *at)
{
    (void)at;
    cleaned++;
}
int main(void)
{
    {
        __attribute__((cleanup(clean))) int x = 1;
        if (x)
            goto out;
        x = 2;
    }
out:
    if (cleaned != 1)
        reach_error();
    return 0;
}
