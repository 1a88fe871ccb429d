// expect: false or unknown
// Each jump comes back, and the count goes on.
#include <setjmp.h>
extern void reach_error(void);

int main(void)
{
    jmp_buf again;
    volatile int n = 0;
    setjmp(again);
    n++;
    if (n == 3)
        reach_error();
    if (n < 3)
        longjmp(again, 1);
    return 0;
}
