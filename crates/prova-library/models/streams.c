/* The streams of <stdio.h>. What is read comes from the world: bytes of standard input, or of a
   file, one at a time, and -1 where there are no more. What is written is read from memory and
   vanishes. A stream that was closed, or never opened, must not be used. */
typedef __builtin_va_list va_list;

void free(void *);
size_t __prova_format(char *to, size_t room, const char *format, va_list list);
int __prova_printed(size_t n);

enum { EOF_ = -1, STREAMS = 19, UNBUFFERED = 2 };

struct stream {
    int open;
    int ended;
    int failed;
    int pushed; /* a byte that was pushed back, plus one */
};

/* The standard streams, and those that may be opened. Whether a standard one is closed is no part
   of it, so that to look after it costs no access to memory. */
static struct stream streams[STREAMS];
static int opened = 3;
static int closed_input, closed_output, closed_error;

struct stream *stdin = streams;
struct stream *stdout = streams + 1;
struct stream *stderr = streams + 2;

/* Whether standard input has ended: it does so once. */
int __prova_stdin_ended;

static void usable(struct stream *s)
{
    if (s == streams + 2) {
        __prova_demand(!closed_error, "a stream that is not open");
    } else if (s == streams + 1) {
        __prova_demand(!closed_output, "a stream that is not open");
    } else if (s == streams) {
        __prova_demand(!closed_input, "a stream that is not open");
    } else {
        __prova_demand(s != (struct stream *)0, "a null pointer in the place of a stream");
        __prova_demand(s->open, "a stream that is not open");
    }
}

/* A byte of standard input, or -1. */
int __prova_stdin_byte(void)
{
    if (__prova_stdin_ended)
        return -1;
    int c = __prova_input_int("stdin");
    __prova_assume(c >= -1 && c <= 255);
    if (c < 0)
        __prova_stdin_ended = 1;
    return c;
}

static int next_byte(struct stream *s)
{
    int c;
    if (s->pushed) {
        c = s->pushed - 1;
        s->pushed = 0;
        return c;
    }
    if (s->ended)
        return -1;
    if (s == streams) {
        c = __prova_stdin_byte();
    } else {
        c = __prova_input_int("file");
        __prova_assume(c >= -1 && c <= 255);
    }
    if (c < 0)
        s->ended = 1;
    return c;
}

/* For `scanf`. */
int __prova_next(struct stream *s) { return next_byte(s); }
void __prova_push(struct stream *s, int c) { s->pushed = c + 1; }
void __prova_usable(struct stream *s) { usable(s); }

int fgetc(struct stream *s) { usable(s); return next_byte(s); }
int getc(struct stream *s) { usable(s); return next_byte(s); }
int _IO_getc(struct stream *s) { usable(s); return next_byte(s); }
int getc_unlocked(struct stream *s) { usable(s); return next_byte(s); }
int fgetc_unlocked(struct stream *s) { usable(s); return next_byte(s); }
int getchar(void) { usable(stdin); return next_byte(stdin); }
int getchar_unlocked(void) { usable(stdin); return next_byte(stdin); }

/* One byte may be pushed back for certain. */
int ungetc(int c, struct stream *s)
{
    usable(s);
    if (c == EOF_)
        return EOF_;
    if (s->pushed)
        __prova_unmodelled("more than one byte pushed back by `ungetc`");
    s->pushed = (unsigned char)c + 1;
    s->ended = 0;
    return (unsigned char)c;
}

char *fgets(char *restrict to, int n, struct stream *restrict s)
{
    usable(s);
    if (n <= 0)
        return (char *)0;
    int i = 0;
    while (i < n - 1) {
        int c = next_byte(s);
        if (c < 0) {
            if (i == 0)
                return (char *)0;
            break;
        }
        to[i++] = (char)c;
        if (c == '\n')
            break;
    }
    to[i] = 0;
    return to;
}

char *fgets_unlocked(char *restrict to, int n, struct stream *restrict s)
{
    return fgets(to, n, s);
}

char *gets(char *to)
{
    size_t i = 0;
    usable(stdin);
    for (;;) {
        int c = next_byte(stdin);
        if (c < 0 && i == 0)
            return (char *)0;
        if (c < 0 || c == '\n')
            break;
        to[i++] = (char)c;
    }
    to[i] = 0;
    return to;
}

size_t fread(void *restrict to, size_t size, size_t count, struct stream *restrict s)
{
    unsigned char *t = to;
    usable(s);
    if (size == 0 || count == 0)
        return 0;
    if (count > (size_t)-1 / size)
        __prova_unmodelled("`fread` of more than there is memory");
    size_t i = 0;
    for (; i < size * count; i++) {
        int c = next_byte(s);
        if (c < 0)
            break;
        t[i] = (unsigned char)c;
    }
    return i == size * count ? count : i / size;
}

size_t fread_unlocked(void *restrict to, size_t size, size_t count, struct stream *restrict s)
{
    return fread(to, size, count, s);
}

/* The block at `*to` has `*room` bytes, or there is none. It grows as glibc's does. */
static ssize_t get_delimited(char **to, size_t *room, int delimiter, struct stream *s)
{
    usable(s);
    size_t n = 0;
    if (!*to || *room == 0) {
        free(*to);
        *to = __prova_block("getline", 120);
        if (!*to)
            return -1;
        *room = 120;
    }
    for (;;) {
        int c = next_byte(s);
        if (c < 0)
            break;
        if (n + 1 >= *room) {
            size_t more = 2 * *room > n + 2 ? 2 * *room : n + 2;
            char *block = __prova_block("getline", more);
            if (!block)
                return -1;
            for (size_t i = 0; i < n; i++)
                block[i] = (*to)[i];
            free(*to);
            *to = block;
            *room = more;
        }
        (*to)[n++] = (char)c;
        if (c == (unsigned char)delimiter)
            break;
    }
    if (n == 0)
        return -1;
    (*to)[n] = 0;
    return (ssize_t)n;
}

ssize_t getline(char **restrict to, size_t *restrict room, struct stream *restrict s)
{
    return get_delimited(to, room, '\n', s);
}

ssize_t getdelim(char **restrict to, size_t *restrict room, int c, struct stream *restrict s)
{
    return get_delimited(to, room, c, s);
}

ssize_t __getdelim(char **restrict to, size_t *restrict room, int c, struct stream *restrict s)
{
    return get_delimited(to, room, c, s);
}

int feof(struct stream *s) { usable(s); return s->ended; }
int ferror(struct stream *s) { usable(s); return s->failed; }
int feof_unlocked(struct stream *s) { usable(s); return s->ended; }
int ferror_unlocked(struct stream *s) { usable(s); return s->failed; }

void clearerr(struct stream *s)
{
    usable(s);
    s->failed = 0;
    s->ended = 0;
}

/* Whether there is such a file is the world's. */
struct stream *fopen(const char *restrict path, const char *restrict mode)
{
    size_t i = 0;
    while (path[i])
        i++;
    __prova_demand(mode[0] == 'r' || mode[0] == 'w' || mode[0] == 'a', "a mode that `fopen` has not");
    if (__prova_input_bool("fopen")) {
        __prova_set_errno(__prova_choice_int("why there is no file") & 127);
        return (struct stream *)0;
    }
    if (opened == STREAMS)
        __prova_unmodelled("more than 16 streams that are opened");
    struct stream *s = &streams[opened++];
    s->open = 1;
    return s;
}

struct stream *fopen64(const char *restrict path, const char *restrict mode)
{
    return fopen(path, mode);
}

int fclose(struct stream *s)
{
    usable(s);
    if (s == streams + 2)
        closed_error = 1;
    else if (s == streams + 1)
        closed_output = 1;
    else if (s == streams)
        closed_input = 1;
    else
        s->open = 0;
    return __prova_choice_uchar("whether output fails") & 1 ? EOF_ : 0;
}

int fflush(struct stream *s)
{
    if (s)
        usable(s);
    return __prova_choice_uchar("whether output fails") & 1 ? EOF_ : 0;
}

void setbuf(struct stream *restrict s, char *restrict buffer)
{
    usable(s);
    if (buffer)
        __prova_unmodelled("a stream with a buffer of the program's own");
}

int setvbuf(struct stream *restrict s, char *restrict buffer, int mode, size_t size)
{
    usable(s);
    if (buffer && mode != UNBUFFERED)
        __prova_unmodelled("a stream with a buffer of the program's own");
    if (mode < 0 || mode > UNBUFFERED)
        return -1;
    return __prova_choice_int("what `setvbuf` returns");
}

void setlinebuf(struct stream *s) { usable(s); }

/* Both ways in one: where nobody looks at the result, nothing is left of it. */
static int written(struct stream *s, int n)
{
    int failed = __prova_choice_uchar("whether output fails") & 1;
    s->failed |= failed;
    return (n & (failed - 1)) | -failed;
}

void __prova_output(struct stream *s) { s->failed |= __prova_choice_uchar("whether output fails") & 1; }
void __prova_standard_output(void) { __prova_output(stdout); }

int fputc(int c, struct stream *s)
{
    char byte = (char)c;
    usable(s);
    __prova_print(&byte, 1);
    return written(s, (unsigned char)c);
}

int putc(int c, struct stream *s) { return fputc(c, s); }
int _IO_putc(int c, struct stream *s) { return fputc(c, s); }
int putc_unlocked(int c, struct stream *s) { return fputc(c, s); }
int fputc_unlocked(int c, struct stream *s) { return fputc(c, s); }
int putchar(int c) { return fputc(c, stdout); }
int putchar_unlocked(int c) { return fputc(c, stdout); }

static size_t read_text(const char *text)
{
    size_t n = 0;
    while (text[n])
        n++;
    __prova_print(text, n);
    return n;
}

static int some_success(struct stream *s)
{
    return written(s, __prova_choice_int("what a successful output returns") & 2147483647);
}

int fputs(const char *restrict text, struct stream *restrict s)
{
    usable(s);
    read_text(text);
    return some_success(s);
}

int fputs_unlocked(const char *restrict text, struct stream *restrict s) { return fputs(text, s); }

/* `puts` of a literal of so many characters. */
void __prova_put_line(const char *text, size_t n)
{
    __prova_print(text, n);
    __prova_print("\n", 1);
}

int __prova_line_put(void) { return some_success(stdout); }

int puts(const char *text)
{
    usable(stdout);
    read_text(text);
    __prova_print("\n", 1);
    return some_success(stdout);
}

size_t fwrite(const void *restrict from, size_t size, size_t count, struct stream *restrict s)
{
    const char *f = from;
    usable(s);
    if (size == 0 || count == 0)
        return 0;
    if (count > (size_t)-1 / size)
        __prova_unmodelled("`fwrite` of more than there is memory");
    size_t n = size * count;
    size_t zeros = 0;
    for (size_t i = 0; i < n; i++)
        if (!f[i])
            zeros++;
    __prova_print(from, n);
    size_t missing = __prova_choice_size("how much of the output fails");
    if (missing == 0)
        return count;
    s->failed = 1;
    return missing > count ? 0 : count - missing;
}

size_t fwrite_unlocked(const void *restrict from, size_t size, size_t count,
                       struct stream *restrict s)
{
    return fwrite(from, size, count, s);
}

void perror(const char *text)
{
    size_t n = 0;
    if (text)
        while (text[n])
            n++;
}

int vfprintf(struct stream *restrict s, const char *restrict format, va_list list)
{
    va_list again;
    usable(s);
    __builtin_va_copy(again, list);
    size_t n = __prova_format((char *)0, 0, format, list);
    __prova_printf(format, again);
    return __prova_printed(n);
}

int fprintf(struct stream *restrict s, const char *restrict format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    return vfprintf(s, format, list);
}

int fileno(struct stream *s)
{
    usable(s);
    if (s == streams)
        return 0;
    if (s == streams + 1)
        return 1;
    if (s == streams + 2)
        return 2;
    return 3 + (__prova_choice_int("a file's number") & 0xffff);
}
