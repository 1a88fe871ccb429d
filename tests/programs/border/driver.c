/* What the programs of this folder need to run natively. Compiled with each of them:
 *   INPUTS       values of the inputs in their order, as strings: "3", "-1",
 *   FAILS        which allocations fail, counted from one: 2, 3,
 *   COUNT        defined where blocks that are left at the end are to be told.
 * The allocation functions are wrapped by the linker only if one of the last two is wanted. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef INPUTS
#define INPUTS
#endif
#ifndef FAILS
#define FAILS
#endif

static const char *const inputs[] = {INPUTS 0};
static unsigned taken;

static const char *next(void)
{
    return inputs[taken] ? inputs[taken++] : "0";
}

static void say(const char *text)
{
    if (write(2, text, strlen(text)) < 0)
        return;
}

static void tell_blocks(void);

#define INPUT(T, name) \
    T __VERIFIER_nondet_##name(void) { return (T)strtoll(next(), 0, 0); }
INPUT(_Bool, bool)
INPUT(char, char)
INPUT(signed char, schar)
INPUT(unsigned char, uchar)
INPUT(short, short)
INPUT(unsigned short, ushort)
INPUT(int, int)
INPUT(unsigned, uint)
INPUT(unsigned, unsigned)
INPUT(long, long)
INPUT(unsigned long, ulong)
INPUT(long long, longlong)
unsigned long long __VERIFIER_nondet_ulonglong(void) { return strtoull(next(), 0, 0); }
float __VERIFIER_nondet_float(void) { return strtof(next(), 0); }
double __VERIFIER_nondet_double(void) { return strtod(next(), 0); }

void __VERIFIER_assume(int condition)
{
    if (!condition)
        _exit(0);
}

void reach_error(void)
{
    say("the error is reached\n");
    tell_blocks();
    _exit(86);
}

void __VERIFIER_error(void)
{
    reach_error();
}

#ifdef WRAP
static const unsigned fails[] = {FAILS 0};
static unsigned calls;
static int live;

void *__real_malloc(size_t), *__real_calloc(size_t, size_t), *__real_realloc(void *, size_t);
void *__real_aligned_alloc(size_t, size_t);
char *__real_strdup(const char *);
void __real_free(void *);
void __real_abort(void) __attribute__((noreturn));
void __real__exit(int) __attribute__((noreturn));

static int fail(void)
{
    unsigned i;
    calls++;
    for (i = 0; fails[i]; i++)
        if (fails[i] == calls) {
            errno = ENOMEM;
            return 1;
        }
    return 0;
}

static void *counted(void *p)
{
    live += p != 0;
    return p;
}

void *__wrap_malloc(size_t n) { return fail() ? 0 : counted(__real_malloc(n)); }
void *__wrap_calloc(size_t n, size_t m) { return fail() ? 0 : counted(__real_calloc(n, m)); }
void *__wrap_aligned_alloc(size_t a, size_t n) { return fail() ? 0 : counted(__real_aligned_alloc(a, n)); }
char *__wrap_strdup(const char *s) { return fail() ? 0 : counted(__real_strdup(s)); }

void *__wrap_realloc(void *p, size_t n)
{
    void *q = fail() ? 0 : __real_realloc(p, n);
    live += p == 0 && q != 0;
    return q;
}

void __wrap_free(void *p)
{
    live -= p != 0;
    __real_free(p);
}

static void tell_blocks(void)
{
#ifdef COUNT
    if (live > 0)
        say("blocks are left\n");
    live = 0;
#endif
}

void __wrap_abort(void)
{
    tell_blocks();
    __real_abort();
}

void __wrap__exit(int status)
{
    tell_blocks();
    __real__exit(status);
}

static void on_abort(int number)
{
    (void)number;
    tell_blocks();
}

__attribute__((constructor(101))) static void at_the_beginning(void)
{
    at_quick_exit(tell_blocks);
    /* Assertions abort inside the library, where the wrapped function is not seen. */
    signal(SIGABRT, on_abort);
}

/* The smallest number runs last, behind the functions of atexit. */
__attribute__((destructor(101))) static void at_the_end(void)
{
    tell_blocks();
}
#else
static void tell_blocks(void)
{
}
#endif
