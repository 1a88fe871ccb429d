// expect: false
// A narrower bit-field is promoted to int, an unsigned one as well.
extern void reach_error(void);
struct counter { unsigned long long value : 20; };

int main(void)
{
    struct counter c = {0};
    if (c.value - 1 < 0)
        reach_error();
    return 0;
}
