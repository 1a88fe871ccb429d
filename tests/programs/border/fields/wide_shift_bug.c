// expect: false
// gcc computes with a bit-field of 40 bits in 40 bits.
extern void reach_error(void);
struct counter { unsigned long long value : 40; };

int main(void)
{
    struct counter c;
    c.value = 1ULL << 39;
    if ((c.value << 1) == 0)
        reach_error();
    return 0;
}
