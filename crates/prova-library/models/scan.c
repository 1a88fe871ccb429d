/* `scanf` and its relatives. A format that is a literal is taken apart by the front end, which
   calls the `__prova_scan_…` functions for its pieces; any other is read here.

   A source is a text or a stream. Pieces tell how they went: 1 to go on, 0 where the input does
   not fit, -1 where it has ended before the piece found anything. */
typedef __builtin_va_list va_list;

struct stream;
int __prova_next(struct stream *s);
void __prova_push(struct stream *s, int c);
void __prova_usable(struct stream *s);
extern struct stream *stdin;

enum { RANGE_ERROR = 34, NO_WIDTH = 2147483647 };

struct source {
    const char *text;
    size_t at;
    struct stream *stream;
    int count; /* characters that were taken */
};

static int take(struct source *s)
{
    int c;
    if (s->text) {
        c = (unsigned char)s->text[s->at];
        if (!c)
            return -1;
        s->at++;
    } else {
        c = __prova_next(s->stream);
        if (c < 0)
            return -1;
    }
    s->count++;
    return c;
}

static void give_back(struct source *s, int c)
{
    if (c < 0)
        return;
    s->count--;
    if (s->text)
        s->at--;
    else
        __prova_push(s->stream, c);
}

static int is_space(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

void __prova_scan_space(struct source *s)
{
    int c = take(s);
    while (is_space(c))
        c = take(s);
    give_back(s, c);
}

int __prova_scan_letter(struct source *s, int letter)
{
    int c = take(s);
    if (c == letter)
        return 1;
    give_back(s, c);
    return c < 0 ? -1 : 0;
}

static int digit_of(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 99;
}

static void store(void *to, int size, unsigned long long value)
{
    switch (size) {
    case 1: *(unsigned char *)to = (unsigned char)value; break;
    case 2: *(unsigned short *)to = (unsigned short)value; break;
    case 8: *(unsigned long long *)to = value; break;
    default: *(unsigned *)to = (unsigned)value; break;
    }
}

/* A number in a base, 0 for any, of `size` bytes; none is stored where `to` is null. What does not
   fit the type is cut as `strtol` and `strtoul` cut it, which read it as a `long`, or as a
   `long long` if it is to be one. */
int __prova_scan_number(struct source *s, void *to, int size, int wide, int base, int is_signed,
                        int width)
{
    unsigned long long value = 0, most = -1, limit;
    int negative = 0, any = 0, over = 0, left = width;
    __prova_scan_space(s);
    int c = take(s);
    if (c < 0)
        return -1;
    if (c == '-' || c == '+') {
        negative = c == '-';
        left--;
        c = left > 0 ? take(s) : -2;
    }
    if (left > 0 && c == '0' && (base == 0 || base == 16)) {
        any = 1;
        left--;
        c = left > 0 ? take(s) : -2;
        if (left > 0 && (c == 'x' || c == 'X')) {
            base = 16; /* glibc takes the prefix alone for zero */
            left--;
            c = left > 0 ? take(s) : -2;
        } else if (base == 0) {
            base = 8;
        }
    }
    if (base == 0)
        base = 10;
    if (!wide && sizeof(long) < sizeof(long long))
        most = (unsigned long)-1;
    limit = most;
    if (is_signed)
        limit = (most >> 1) + (negative ? 1 : 0);
    while (left > 0) {
        int d = digit_of(c);
        if (d >= base)
            break;
        any = 1;
        unsigned long long tens = limit / (unsigned long long)base;
        if (over || value > tens
            || (value == tens && (unsigned long long)d > limit % (unsigned long long)base))
            over = 1;
        else
            value = value * (unsigned long long)base + (unsigned long long)d;
        left--;
        c = left > 0 ? take(s) : -2;
    }
    if (c >= 0)
        give_back(s, c);
    if (!any)
        return 0;
    if (over) {
        __prova_set_errno(RANGE_ERROR);
        value = limit;
        if (!is_signed)
            negative = 0;
    }
    if (to)
        store(to, size, negative ? -value : value);
    return 1;
}

/* Characters without white space, and a zero behind them. */
int __prova_scan_word(struct source *s, char *to, int width)
{
    int n = 0;
    __prova_scan_space(s);
    while (n < width) {
        int c = take(s);
        if (c < 0 || is_space(c)) {
            if (n == 0)
                return -1;
            give_back(s, c);
            break;
        }
        if (to)
            to[n] = (char)c;
        n++;
    }
    if (to)
        to[n] = 0;
    return 1;
}

/* So many characters, whatever they are. */
int __prova_scan_chars(struct source *s, char *to, int width)
{
    int n = 0;
    while (n < width) {
        int c = take(s);
        if (c < 0)
            return n == 0 ? -1 : 1;
        if (to)
            to[n] = (char)c;
        n++;
    }
    return 1;
}

/* Whether a character is in a set as it stands between brackets, of `length` characters. */
static int in_set(int c, const char *set, size_t length)
{
    size_t i = 0;
    int inverted = 0, found = 0;
    if (i < length && set[i] == '^') {
        inverted = 1;
        i++;
    }
    for (; i < length; i++) {
        if (i + 2 < length && set[i + 1] == '-') {
            if (c >= (unsigned char)set[i] && c <= (unsigned char)set[i + 2])
                found = 1;
            i += 2;
        } else if (c == (unsigned char)set[i]) {
            found = 1;
        }
    }
    return found != inverted;
}

int __prova_scan_set(struct source *s, char *to, int width, const char *set, size_t length)
{
    int n = 0;
    while (n < width) {
        int c = take(s);
        if (c < 0 || !in_set(c, set, length)) {
            give_back(s, c);
            if (n == 0)
                return c < 0 ? -1 : 0;
            break;
        }
        if (to)
            to[n] = (char)c;
        n++;
    }
    if (to)
        to[n] = 0;
    return 1;
}

void __prova_scan_count(struct source *s, void *to, int size)
{
    if (to)
        store(to, size, (unsigned long long)(long long)s->count);
}

void __prova_scan_text(struct source *s, const char *text)
{
    __prova_demand(text != (const char *)0, "a null pointer in the place of a text");
    s->text = text;
    s->at = 0;
    s->stream = (struct stream *)0;
    s->count = 0;
}

void __prova_scan_stream(struct source *s, struct stream *stream)
{
    __prova_usable(stream);
    s->text = (const char *)0;
    s->at = 0;
    s->stream = stream;
    s->count = 0;
}

void __prova_scan_stdin(struct source *s) { __prova_scan_stream(s, stdin); }

/* A format from its start on: how many values were stored, or -1 if the input ended before the
   first was. (The standard speaks of the first conversion, stored or not; glibc does not count
   those with `*`.) */
static int scan(struct source *s, const char *format, va_list list)
{
    int stored = 0;
    for (size_t i = 0; format[i]; i++) {
        int how = 1;
        if (is_space((unsigned char)format[i])) {
            __prova_scan_space(s);
            continue;
        }
        if (format[i] != '%') {
            how = __prova_scan_letter(s, (unsigned char)format[i]);
        } else {
            int silent = 0, width = 0, size = sizeof(int), wide = 0;
            i++;
            if (format[i] == '*') {
                silent = 1;
                i++;
            }
            for (; format[i] >= '0' && format[i] <= '9'; i++) {
                width = width * 10 + (format[i] - '0');
                if (width > 1000000)
                    __prova_unmodelled("a field of a format with more than a million characters");
            }
            if (!width)
                width = NO_WIDTH;
            if (format[i] == 'h' && format[i + 1] == 'h') {
                size = 1;
                i += 2;
            } else if (format[i] == 'h') {
                size = 2;
                i++;
            } else if (format[i] == 'l' && format[i + 1] == 'l') {
                size = sizeof(long long);
                wide = 1;
                i += 2;
            } else if (format[i] == 'q' || format[i] == 'j') {
                size = sizeof(long long);
                wide = 1;
                i++;
            } else if (format[i] == 'l' || format[i] == 'z' || format[i] == 't') {
                size = sizeof(long);
                i++;
                if (format[i] == 'c' || format[i] == 's' || format[i] == '[')
                    __prova_unmodelled("wide characters in a format");
            }
            char c = format[i];
            void *to = (void *)0;
            if (!silent && c != '%')
                to = __builtin_va_arg(list, void *);
            if (c == '%') {
                __prova_scan_space(s);
                how = __prova_scan_letter(s, '%');
            } else if (c == 'd' || c == 'i') {
                how = __prova_scan_number(s, to, size, wide, c == 'd' ? 10 : 0, 1, width);
            } else if (c == 'u' || c == 'x' || c == 'X' || c == 'o') {
                how = __prova_scan_number(s, to, size, wide, c == 'u' ? 10 : c == 'o' ? 8 : 16, 0,
                                          width);
            } else if (c == 's') {
                how = __prova_scan_word(s, to, width);
            } else if (c == 'c') {
                how = __prova_scan_chars(s, to, width == NO_WIDTH ? 1 : width);
            } else if (c == 'n') {
                __prova_scan_count(s, to, size);
                continue;
            } else if (c == '[') {
                size_t from = ++i;
                if (format[i] == '^')
                    i++;
                if (format[i] == ']')
                    i++;
                while (format[i] && format[i] != ']')
                    i++;
                how = __prova_scan_set(s, to, width, format + from, i - from);
            } else {
                __prova_unmodelled("a conversion of a format for input");
            }
            if (how == 1 && c != '%' && !silent)
                stored++;
        }
        if (how != 1)
            return how < 0 && !stored ? -1 : stored;
    }
    return stored;
}

int vsscanf(const char *restrict text, const char *restrict format, va_list list)
{
    struct source s;
    __prova_scan_text(&s, text);
    return scan(&s, format, list);
}

int sscanf(const char *restrict text, const char *restrict format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    return vsscanf(text, format, list);
}

int vfscanf(struct stream *restrict stream, const char *restrict format, va_list list)
{
    struct source s;
    __prova_scan_stream(&s, stream);
    return scan(&s, format, list);
}

int fscanf(struct stream *restrict stream, const char *restrict format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    return vfscanf(stream, format, list);
}

int vscanf(const char *restrict format, va_list list) { return vfscanf(stdin, format, list); }

int scanf(const char *restrict format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    return vfscanf(stdin, format, list);
}

/* What the header of glibc renames them to. */
int __isoc99_sscanf(const char *restrict text, const char *restrict format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    return vsscanf(text, format, list);
}

int __isoc99_fscanf(struct stream *restrict stream, const char *restrict format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    return vfscanf(stream, format, list);
}

int __isoc99_scanf(const char *restrict format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    return vfscanf(stdin, format, list);
}

int __isoc99_vsscanf(const char *restrict text, const char *restrict format, va_list list)
{
    return vsscanf(text, format, list);
}

int __isoc99_vfscanf(struct stream *restrict stream, const char *restrict format, va_list list)
{
    return vfscanf(stream, format, list);
}

int __isoc99_vscanf(const char *restrict format, va_list list)
{
    return vfscanf(stdin, format, list);
}
