// expect: false or unknown
// Two names of one variable: it does not keep its value.
extern void reach_error(void);
int first = 1;
extern int second __attribute__((alias("first")));

int main(void)
{
    second = 2;
    if (first != 1)
        reach_error();
    return 0;
}
