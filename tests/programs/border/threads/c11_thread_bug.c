// expect: false or unknown
// gcc: -pthread
// The result of a C11 thread is what its function returned, and is not zero.
#include <threads.h>
extern void reach_error(void);

static int work(void *at)
{
    return *(int *)at + 1;
}
int main(void)
{
    thrd_t id;
    int seed = 4, result = 0;
    if (thrd_create(&id, work, &seed) != thrd_success)
        return 0;
    if (thrd_join(id, &result) != thrd_success)
        return 0;
    if (result != 0)
        reach_error();
    return 0;
}
