// expect: false
// Below zero a bit-field of 40 bits is a number of 40 bits.
extern void reach_error(void);
struct counter { unsigned long long value : 40; };

int main(void)
{
    struct counter c = {0};
    unsigned long long below = c.value - 1;
    if (below == 0xffffffffffULL)
        reach_error();
    return 0;
}
