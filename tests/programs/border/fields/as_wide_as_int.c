// expect: true
// A bit-field of 32 bits is an unsigned int, whatever its type.
extern void reach_error(void);
struct counter { unsigned long long value : 32; };

int main(void)
{
    struct counter c = {0};
    unsigned long long below = c.value - 1;
    if (below != 0xffffffffULL)
        reach_error();
    return 0;
}
