// expect: true
// What is stored is loaded.
#include <stdatomic.h>
extern void reach_error(void);

int main(void)
{
    _Atomic long v;
    atomic_init(&v, 1L);
    atomic_store_explicit(&v, 7L, memory_order_release);
    if (atomic_load_explicit(&v, memory_order_acquire) != 7)
        reach_error();
    return 0;
}
