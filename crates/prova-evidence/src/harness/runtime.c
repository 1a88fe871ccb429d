/* --- What every harness has. No header is used, so that nothing can clash with the program. --- */

enum { PROVA_REACHED = 99, PROVA_ASSUMED = 98, PROVA_DIVERGED = 97, PROVA_EXHAUSTED = 96 };

struct prova_input { const char *function; unsigned long long low, high; };
struct prova_effect { char kind; unsigned long from; long offset; unsigned long size, length; const char *text; };
struct prova_bytes { const char *name; unsigned long size, length; const char *bytes; };

extern long prova_write(int, const void *, unsigned long) __asm__("write");
extern int prova_flush(void *) __asm__("fflush");
extern void prova_exit(int) __asm__("_exit");

/* Text on standard error. Nothing here allocates: the program may bring its own malloc. */
static void prova_say(const char *text)
{
    unsigned long length = 0;
    while (text[length])
        length++;
    prova_write(2, text, length);
}

static void prova_say_number(long long number)
{
    char digits[24];
    unsigned at = sizeof digits - 1;
    unsigned long long rest = number < 0 ? -(unsigned long long)number : (unsigned long long)number;
    digits[at] = 0;
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (number < 0)
        digits[--at] = '-';
    prova_say(digits + at);
}

/* The error happened. */
int prova_error_reached(const char *what)
{
    prova_flush(0);
    prova_say("prova: error reached: ");
    prova_say(what);
    prova_say(" [" PROVA_TOKEN "]\n");
    prova_exit(PROVA_REACHED);
    return 0;
}

static void prova_stop(int status, const char *why, const char *what)
{
    prova_flush(0);
    prova_say("prova: ");
    prova_say(why);
    prova_say(what);
    prova_say("\n");
    prova_exit(status);
}

static void prova_copy(void *to, const struct prova_bytes *from, unsigned long size)
{
    for (unsigned long i = 0; i < size; i++)
        ((volatile char *)to)[i] = i < from->length ? from->bytes[i] : 0;
}
