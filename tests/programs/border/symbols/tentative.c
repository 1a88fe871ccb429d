// expect: true
// Several tentative definitions are one variable, which starts as zero.
extern void reach_error(void);
int total;
int total;
static int *where(void);

int main(void)
{
    *where() = 3;
    if (total != 3)
        reach_error();
    return 0;
}
int total;
static int *where(void)
{
    return &total;
}
