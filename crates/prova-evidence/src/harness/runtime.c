/* --- What every harness has. No header is used, so that nothing can clash with the program. --- */

enum { PROVA_REACHED = 99, PROVA_ASSUMED = 98, PROVA_DIVERGED = 97, PROVA_EXHAUSTED = 96 };

struct prova_input { const char *function; unsigned long long low, high; };
struct prova_bytes { const char *name; unsigned long size, length; const char *bytes; };

extern int prova_say(int, const char *, ...) __asm__("dprintf");
extern int prova_flush(void *) __asm__("fflush");
extern void prova_exit(int) __asm__("_exit");

/* The error happened. */
int prova_error_reached(const char *what)
{
    prova_flush(0);
    prova_say(2, "prova: error reached: %s [" PROVA_TOKEN "]\n", what);
    prova_exit(PROVA_REACHED);
    return 0;
}

static void prova_stop(int status, const char *why, const char *what)
{
    prova_flush(0);
    prova_say(2, "prova: %s%s\n", why, what);
    prova_exit(status);
}

static void prova_copy(void *to, const struct prova_bytes *from, unsigned long size)
{
    for (unsigned long i = 0; i < size; i++)
        ((volatile char *)to)[i] = i < from->length ? from->bytes[i] : 0;
}
