// expect: true or unknown
// Two names of one variable: what is written by the one is read by the other.
extern void reach_error(void);
int first = 1;
extern int second __attribute__((alias("first")));

int main(void)
{
    second = 2;
    if (first != 2)
        reach_error();
    return 0;
}
