// expect: false or unknown
// bits: 64
// Assembly that clobbers memory may write what it can reach.
extern void reach_error(void);
int shared = 1;

int main(void)
{
    __asm__ volatile("movl $2, shared(%%rip)" : : : "memory");
    if (shared != 1)
        reach_error();
    return 0;
}
