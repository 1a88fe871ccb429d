/* `<stdatomic.h>` and the builtins it is made of, on one thread. */
#include <stdatomic.h>
#include <stdio.h>

struct point { int x, y; };
struct odd { char c[3]; };

static _Atomic int counter = ATOMIC_VAR_INIT(5);
static atomic_flag flag = ATOMIC_FLAG_INIT;
static _Atomic(long) total;
static atomic_uint bits;

static void generics(void) {
    int expected = 6;
    atomic_init(&bits, 12u);
    printf("%d\n", atomic_fetch_add(&counter, 1));
    printf("%d", atomic_compare_exchange_strong(&counter, &expected, 40));
    printf(" %d %d\n", atomic_load(&counter), expected);
    printf("%d", atomic_compare_exchange_strong(&counter, &expected, 41));
    printf(" %d %d\n", atomic_load(&counter), expected);
    atomic_store_explicit(&total, 7000000000L % 1000, memory_order_release);
    printf("%ld\n", atomic_exchange(&total, 8));
    printf("%ld\n", atomic_load_explicit(&total, memory_order_acquire));
    printf("%u\n", atomic_fetch_or(&bits, 3u));
    printf("%u\n", atomic_fetch_and(&bits, 6u));
    printf("%u\n", atomic_load(&bits));
    printf("%d", atomic_flag_test_and_set(&flag));
    printf(" %d\n", atomic_flag_test_and_set(&flag));
    atomic_flag_clear(&flag);
    printf("%d\n", atomic_flag_test_and_set_explicit(&flag, memory_order_relaxed));
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_seq_cst);
    printf("%d %d\n", atomic_is_lock_free(&counter), ATOMIC_INT_LOCK_FREE);
    counter++;
    counter += 3;
    printf("%d %d\n", counter, kill_dependency(counter));
}

static void builtins(void) {
    int x = 2147483647, array[4] = {1, 2, 3, 4}, *p = array;
    char small = 127;
    unsigned char tiny = 250;
    long l = -1, old;
    double d = 0.0, minus = -0.0, one = 1.0;
    struct point a = {1, 2}, b = {3, 4}, c;
    struct odd u = {"ab"}, v = {"ab"}, w = {"cd"};
    printf("%d", __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST));
    printf(" %d\n", x);
    printf("%d %d\n", __sync_add_and_fetch(&small, 1), __sync_fetch_and_add(&tiny, 10));
    printf("%d\n", tiny);
    __atomic_fetch_add(&p, 8, 5);
    printf("%d\n", *p);
    p = __sync_sub_and_fetch(&p, 4);
    printf("%d\n", *p);
    printf("%d\n", __sync_fetch_and_nand(&array[2], 1));
    printf("%d %d\n", array[2], __atomic_nand_fetch(&array[3], 6, 0));
    printf("%ld\n", __atomic_xor_fetch(&l, 5, 0));
    printf("%d\n", __sync_bool_compare_and_swap(&array[0], 1, 9));
    printf("%d\n", __sync_val_compare_and_swap(&array[0], 1, 10));
    printf("%d\n", array[0]);
    printf("%d\n", __sync_lock_test_and_set(&array[1], 77));
    __sync_lock_release(&array[1]);
    printf("%d\n", array[1]);
    printf("%d\n", __atomic_compare_exchange(&d, &minus, &one, 0, 5, 5));
    printf("%f %d\n", d, minus == 0.0);
    printf("%d\n", __atomic_compare_exchange(&d, &minus, &one, 1, 5, 5));
    printf("%f\n", d);
    __atomic_load(&a, &c, 5);
    __atomic_store(&a, &b, 5);
    printf("%d %d %d %d\n", c.x, c.y, a.x, a.y);
    b.y = 100;
    __atomic_exchange(&a, &b, &c, 5);
    printf("%d %d %d\n", a.y, c.x, c.y);
    printf("%d\n", __atomic_compare_exchange(&a, &c, &b, 0, 5, 5));
    printf("%d %d\n", c.x, c.y);
    printf("%d\n", u.c[0] == v.c[0]);
    old = 3;
    printf("%d", __atomic_compare_exchange_n(&l, &old, 4, 0, 5, 5));
    printf(" %ld %ld\n", l, old);
    printf("%d", __atomic_compare_exchange_n(&l, &old, 4, 0, 5, 5));
    printf(" %ld %ld\n", l, old);
    __atomic_store_n(&l, 6, 5);
    printf("%ld\n", __atomic_exchange_n(&l, 7, 5));
    printf("%ld\n", __atomic_load_n(&l, 5));
    printf("%d\n", __atomic_always_lock_free(4, 0) + __atomic_always_lock_free(8, 0));
    printf("%d\n", (int)sizeof(__atomic_test_and_set(&tiny, 0)));
    tiny = 0;
    printf("%d", __atomic_test_and_set(&tiny, 0));
    printf(" %d\n", tiny);
    __atomic_clear(&tiny, 0);
    printf("%d %c\n", tiny, w.c[0]);
    __sync_synchronize();
}

int main(void) {
    generics();
    builtins();
    return 0;
}
