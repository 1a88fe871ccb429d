// expect: true or unknown
// bits: 64
// A barrier between two statements changes nothing.
extern void reach_error(void);
int shared = 1;

int main(void)
{
    __asm__ volatile("" : : : "memory");
    if (shared != 1)
        reach_error();
    return 0;
}
