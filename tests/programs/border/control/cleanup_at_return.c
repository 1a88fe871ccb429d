// expect: true
// The cleanup function has run when the block is left.
extern void reach_error(void);
static int open_files;

static void close_it(int *unused)
{
    (void)unused;
    open_files--;
}
static void work(int early)
{
    __attribute__((cleanup(close_it))) int file = 1;
    open_files++;
    if (early)
        return;
    file = 2;
}
int main(void)
{
    work(1);
    work(0);
    if (open_files != 0)
        reach_error();
    return 0;
}
