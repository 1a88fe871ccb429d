/* What <stdio.h> prints and formats. A format that is a constant is taken apart by the front end,
   which then calls the `__prova_put_…` functions for its pieces; any other is read here.

   Text goes to `to`, of which `room` bytes may be written, `at` is how many characters there were
   before; a null `to` stands for output, of which only the length is asked. Results are the new
   number of characters. */
typedef __builtin_va_list va_list;
typedef long long intmax;
typedef unsigned long long uintmax;

enum { LEFT = 1, PLUS = 2, SPACE = 4, ALTERNATE = 8, ZERO = 16, UPPER = 32, SMALL = 128 };

void __prova_apart(const void *, const void *, size_t);

static void put(char *to, size_t room, size_t at, char c)
{
    if (at + 1 < room)
        to[at] = c;
}

static size_t pad(char *to, size_t room, size_t at, char c, size_t from, size_t width)
{
    if (from >= width)
        return at;
    if (room > 0)
        for (size_t i = 0; i < width - from; i++)
            put(to, room, at + i, c);
    return at + (width - from);
}

size_t __prova_put_text(char *to, size_t room, size_t at, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        put(to, room, at + i, text[i]);
    return at + n;
}

size_t __prova_put_end(char *to, size_t room, size_t at)
{
    if (room > 0)
        to[at < room ? at : room - 1] = 0;
    return at;
}

/* How many characters a string has, at most `most`; they are read. */
size_t __prova_length(const char *text, size_t most)
{
    size_t n = 0;
    while (n < most && text[n])
        n++;
    return n;
}

/* A string that is printed. */
size_t __prova_read_text(const char *text)
{
    __prova_demand(text != (const char *)0, "a null pointer for `%s`");
    size_t n = 0;
    while (text[n])
        n++;
    return n;
}

/* Where there is room for all that comes: a string, a number. */
size_t __prova_write_string(char *to, const char *text)
{
    __prova_demand(text != (const char *)0, "a null pointer for `%s`");
    size_t n = 0;
    for (; text[n]; n++) {
        __prova_apart(to, text, n + 1);
        to[n] = text[n];
    }
    return n;
}

/* A digit is a branch and a store, without a loop: however the branches go, no more digits are written
   than the largest number has, and that is plain to see. */
static size_t write_small(char *to, size_t at, unsigned n)
{
    if (n >= 1000000000)
        to[at++] = (char)('0' + n / 1000000000);
    if (n >= 100000000)
        to[at++] = (char)('0' + n / 100000000 % 10);
    if (n >= 10000000)
        to[at++] = (char)('0' + n / 10000000 % 10);
    if (n >= 1000000)
        to[at++] = (char)('0' + n / 1000000 % 10);
    if (n >= 100000)
        to[at++] = (char)('0' + n / 100000 % 10);
    if (n >= 10000)
        to[at++] = (char)('0' + n / 10000 % 10);
    if (n >= 1000)
        to[at++] = (char)('0' + n / 1000 % 10);
    if (n >= 100)
        to[at++] = (char)('0' + n / 100 % 10);
    if (n >= 10)
        to[at++] = (char)('0' + n / 10 % 10);
    to[at++] = (char)('0' + n % 10);
    return at;
}

static size_t write_large(char *to, size_t at, uintmax n)
{
    if (n >= 10000000000000000000ULL)
        to[at++] = (char)('0' + n / 10000000000000000000ULL);
    if (n >= 1000000000000000000ULL)
        to[at++] = (char)('0' + n / 1000000000000000000ULL % 10);
    if (n >= 100000000000000000ULL)
        to[at++] = (char)('0' + n / 100000000000000000ULL % 10);
    if (n >= 10000000000000000ULL)
        to[at++] = (char)('0' + n / 10000000000000000ULL % 10);
    if (n >= 1000000000000000ULL)
        to[at++] = (char)('0' + n / 1000000000000000ULL % 10);
    if (n >= 100000000000000ULL)
        to[at++] = (char)('0' + n / 100000000000000ULL % 10);
    if (n >= 10000000000000ULL)
        to[at++] = (char)('0' + n / 10000000000000ULL % 10);
    if (n >= 1000000000000ULL)
        to[at++] = (char)('0' + n / 1000000000000ULL % 10);
    if (n >= 100000000000ULL)
        to[at++] = (char)('0' + n / 100000000000ULL % 10);
    if (n >= 10000000000ULL)
        to[at++] = (char)('0' + n / 10000000000ULL % 10);
    if (n >= 1000000000)
        to[at++] = (char)('0' + n / 1000000000 % 10);
    if (n >= 100000000)
        to[at++] = (char)('0' + n / 100000000 % 10);
    if (n >= 10000000)
        to[at++] = (char)('0' + n / 10000000 % 10);
    if (n >= 1000000)
        to[at++] = (char)('0' + n / 1000000 % 10);
    if (n >= 100000)
        to[at++] = (char)('0' + n / 100000 % 10);
    if (n >= 10000)
        to[at++] = (char)('0' + n / 10000 % 10);
    if (n >= 1000)
        to[at++] = (char)('0' + n / 1000 % 10);
    if (n >= 100)
        to[at++] = (char)('0' + n / 100 % 10);
    if (n >= 10)
        to[at++] = (char)('0' + n / 10 % 10);
    to[at++] = (char)('0' + n % 10);
    return at;
}

size_t __prova_write_int(char *to, int n)
{
    if (n >= 0)
        return write_small(to, 0, (unsigned)n);
    to[0] = '-';
    return write_small(to, 1, -(unsigned)n);
}

size_t __prova_write_uint(char *to, unsigned n) { return write_small(to, 0, n); }

size_t __prova_write_long(char *to, intmax n)
{
    if (n >= 0)
        return write_large(to, 0, (uintmax)n);
    to[0] = '-';
    return write_large(to, 1, -(uintmax)n);
}

size_t __prova_write_ulong(char *to, uintmax n) { return write_large(to, 0, n); }

static char hexadecimal(unsigned n, int upper)
{
    return (char)((n & 15) < 10 ? '0' + (n & 15) : (upper ? 'A' : 'a') + (n & 15) - 10);
}

size_t __prova_write_hexadecimal(char *to, unsigned n, int upper)
{
    size_t at = 0;
    if (n >= 0x10000000)
        to[at++] = hexadecimal(n >> 28, upper);
    if (n >= 0x1000000)
        to[at++] = hexadecimal(n >> 24, upper);
    if (n >= 0x100000)
        to[at++] = hexadecimal(n >> 20, upper);
    if (n >= 0x10000)
        to[at++] = hexadecimal(n >> 16, upper);
    if (n >= 0x1000)
        to[at++] = hexadecimal(n >> 12, upper);
    if (n >= 0x100)
        to[at++] = hexadecimal(n >> 8, upper);
    if (n >= 0x10)
        to[at++] = hexadecimal(n >> 4, upper);
    to[at++] = hexadecimal(n, upper);
    return at;
}

size_t __prova_put_string(char *to, size_t room, size_t at, const char *text, int flags,
                          size_t width, int precision)
{
    if (!text) {
        /* What is printed for a null pointer is open; glibc's text is "(null)". */
        __prova_demand(0, "a null pointer for `%s`");
        return at;
    }
    size_t n = __prova_length(text, precision < 0 ? (size_t)-1 : (size_t)precision);
    if (!(flags & LEFT))
        at = pad(to, room, at, ' ', n, width);
    if (room > 0)
        for (size_t i = 0; i < n; i++) {
            __prova_apart(to + at, text, i + 1);
            put(to, room, at + i, text[i]);
        }
    at += n;
    return flags & LEFT ? pad(to, room, at, ' ', n, width) : at;
}

size_t __prova_put_char(char *to, size_t room, size_t at, int c, int flags, size_t width)
{
    if (!(flags & LEFT))
        at = pad(to, room, at, ' ', 1, width);
    put(to, room, at, (char)c);
    return flags & LEFT ? pad(to, room, at + 1, ' ', 1, width) : at + 1;
}

/* Digits of a number. Sums of comparisons, so that a bound of the length is plain to see. */
static size_t decimal_digits(uintmax n)
{
    return 1 + (n > 9) + (n > 99) + (n > 999) + (n > 9999) + (n > 99999) + (n > 999999)
        + (n > 9999999) + (n > 99999999) + (n > 999999999) + (n > 9999999999ULL)
        + (n > 99999999999ULL) + (n > 999999999999ULL) + (n > 9999999999999ULL)
        + (n > 99999999999999ULL) + (n > 999999999999999ULL) + (n > 9999999999999999ULL)
        + (n > 99999999999999999ULL) + (n > 999999999999999999ULL)
        + (n > 9999999999999999999ULL);
}

static size_t small_decimal_digits(unsigned n)
{
    return 1 + (n > 9) + (n > 99) + (n > 999) + (n > 9999) + (n > 99999) + (n > 999999)
        + (n > 9999999) + (n > 99999999) + (n > 999999999);
}

static size_t octal_digits(uintmax n)
{
    size_t digits = 1;
    while (digits < 22 && (n >>= 3))
        digits++;
    return digits;
}

static size_t hexadecimal_digits(uintmax n)
{
    return 1 + (n > 0xf) + (n > 0xff) + (n > 0xfff) + (n > 0xffff) + (n > 0xfffff)
        + (n > 0xffffff) + (n > 0xfffffff) + (n > 0xffffffff) + (n > 0xfffffffffULL)
        + (n > 0xffffffffffULL) + (n > 0xfffffffffffULL) + (n > 0xffffffffffffULL)
        + (n > 0xfffffffffffffULL) + (n > 0xffffffffffffffULL) + (n > 0xfffffffffffffffULL);
}

/* The same by branches, for loops over them: their bound is a constant on each way. */
static size_t counted(size_t digits, size_t most)
{
    for (size_t n = 1; n < most; n++)
        if (digits == n)
            return n;
    return most;
}

/* What stands before the digits. */
static size_t put_prefix(char *to, size_t room, size_t at, char sign, char x)
{
    if (sign)
        put(to, room, at++, sign);
    if (x) {
        put(to, room, at, '0');
        put(to, room, at + 1, x);
        at += 2;
    }
    return at;
}

/* A number of so many digits in a field: spaces, sign and prefix, zeros, digits, spaces. */
static size_t put_digits(char *to, size_t room, size_t at, uintmax n, size_t digits, unsigned base,
                         char sign, char x, int flags, size_t width, int precision)
{
    size_t zeros = 0, before = (sign != 0) + 2 * (x != 0), shown = digits;
    if (room > 0 && flags & SMALL)
        shown = counted(digits, base == 10 ? 10 : base == 16 ? 8 : 11);
    else if (room > 0)
        shown = counted(digits, base == 10 ? 20 : base == 16 ? 16 : 22);
    if (precision == 0 && n == 0)
        shown = 0;
    if (precision >= 0 && (size_t)precision > shown)
        zeros = (size_t)precision - shown;
    if (base == 8 && (flags & ALTERNATE) && zeros == 0 && (n != 0 || shown == 0))
        zeros = 1;
    if (precision < 0 && (flags & ZERO) && !(flags & LEFT) && before + shown + zeros < width)
        zeros = width - before - shown;
    size_t all = before + zeros + shown;
    if (!(flags & LEFT))
        at = pad(to, room, at, ' ', all, width);
    at = put_prefix(to, room, at, sign, x);
    at = pad(to, room, at, '0', 0, zeros);
    for (size_t i = room > 0 ? shown : 0; i > 0; i--) {
        unsigned d = (unsigned)(n % base);
        n = n / base;
        put(to, room, at + i - 1, (char)(d < 10 ? '0' + d : (flags & UPPER ? 'A' : 'a') + d - 10));
    }
    at += shown;
    return flags & LEFT ? pad(to, room, at, ' ', all, width) : at;
}

static char sign_of(int negative, int flags)
{
    return negative ? '-' : flags & PLUS ? '+' : flags & SPACE ? ' ' : 0;
}

size_t __prova_put_signed(char *to, size_t room, size_t at, intmax n, int flags, size_t width,
                          int precision)
{
    uintmax m = n < 0 ? -(uintmax)n : (uintmax)n;
    return put_digits(to, room, at, m, decimal_digits(m), 10, sign_of(n < 0, flags), 0, flags,
                      width, precision);
}

size_t __prova_put_unsigned(char *to, size_t room, size_t at, uintmax n, int flags, size_t width,
                            int precision)
{
    return put_digits(to, room, at, n, decimal_digits(n), 10, 0, 0, flags, width, precision);
}

/* The usual case, `%d` and `%u` of an `int` without anything: 32 bits are enough. */
static size_t put_small(char *to, size_t room, size_t at, unsigned n, int negative)
{
    if (room == 0)
        return at + (size_t)negative + small_decimal_digits(n);
    if (negative)
        put(to, room, at++, '-');
    if (n >= 1000000000)
        put(to, room, at++, (char)('0' + n / 1000000000));
    if (n >= 100000000)
        put(to, room, at++, (char)('0' + n / 100000000 % 10));
    if (n >= 10000000)
        put(to, room, at++, (char)('0' + n / 10000000 % 10));
    if (n >= 1000000)
        put(to, room, at++, (char)('0' + n / 1000000 % 10));
    if (n >= 100000)
        put(to, room, at++, (char)('0' + n / 100000 % 10));
    if (n >= 10000)
        put(to, room, at++, (char)('0' + n / 10000 % 10));
    if (n >= 1000)
        put(to, room, at++, (char)('0' + n / 1000 % 10));
    if (n >= 100)
        put(to, room, at++, (char)('0' + n / 100 % 10));
    if (n >= 10)
        put(to, room, at++, (char)('0' + n / 10 % 10));
    put(to, room, at++, (char)('0' + n % 10));
    return at;
}

size_t __prova_put_int(char *to, size_t room, size_t at, int n)
{
    return put_small(to, room, at, n < 0 ? -(unsigned)n : (unsigned)n, n < 0);
}

size_t __prova_put_uint(char *to, size_t room, size_t at, unsigned n)
{
    return put_small(to, room, at, n, 0);
}

size_t __prova_put_hexadecimal(char *to, size_t room, size_t at, uintmax n, int flags,
                               size_t width, int precision)
{
    char x = (flags & ALTERNATE) && n ? (flags & UPPER ? 'X' : 'x') : 0;
    return put_digits(to, room, at, n, hexadecimal_digits(n), 16, 0, x, flags, width, precision);
}

size_t __prova_put_octal(char *to, size_t room, size_t at, uintmax n, int flags, size_t width,
                         int precision)
{
    return put_digits(to, room, at, n, octal_digits(n), 8, 0, 0, flags, width, precision);
}

/* Characters of which only the number is known, from `least` to `most`. */
static size_t put_open(char *to, size_t room, size_t at, size_t least, size_t most, int flags,
                       size_t width)
{
    size_t n = __prova_choice_size("the length of a text");
    if (n < least || n > most)
        n = most;
    if (!(flags & LEFT))
        at = pad(to, room, at, ' ', n, width);
    for (size_t i = 0; room > 0 && i < n; i++) {
        char c = __prova_choice_char("a character of a text");
        put(to, room, at + i, c ? c : '0');
    }
    at += n;
    return flags & LEFT ? pad(to, room, at, ' ', n, width) : at;
}

/* How a pointer is shown is open. */
size_t __prova_put_pointer(char *to, size_t room, size_t at, const void *p, int flags, size_t width)
{
    if (!p)
        return __prova_put_string(to, room, at, "(nil)", flags, width, -1);
    return put_open(to, room, at, 3, 2 + 2 * sizeof(void *), flags & LEFT, width);
}

/* The text of a floating number: bounds of its length. */
size_t __prova_put_float(char *to, size_t room, size_t at, double x, int conversion, int flags,
                         size_t width, int precision)
{
    size_t p = precision < 0 ? 6 : (size_t)precision, sign = 0, least, most;
    if (x < 0 || (flags & (PLUS | SPACE)))
        sign = 1;
    if (x != x || x == __builtin_inf() || x == -__builtin_inf())
        return put_open(to, room, at, 3 + sign, 3 + (sign || x != x), flags, width);
    if (conversion == 'f') {
        double m = x < 0 ? -x : x;
        size_t digits = 1 + (m >= 9.5) + (m >= 99.5) + (m >= 999.5) + (m >= 9999.5)
            + (m >= 99999.5) + (m >= 999999.5) + (m >= 9999999.5) + (m >= 99999999.5)
            + (m >= 999999999.5);
        least = 1 + (p > 0) + p;
        most = (m >= 999999999.5 ? 309 : digits) + (p > 0 || (flags & ALTERNATE)) + p;
    } else if (conversion == 'e') {
        least = 1 + (p > 0) + p + 4;
        most = 1 + 1 + p + 5;
    } else if (conversion == 'g') {
        least = 1;
        most = (p ? p : 1) + 7;
    } else {
        least = 6;
        most = (precision < 0 ? 13 : p) + 11;
    }
    /* Zero may have a sign. */
    return put_open(to, room, at, least + sign, most + (sign || x == 0), flags, width);
}

size_t __prova_put_long_float(char *to, size_t room, size_t at, int flags, size_t width,
                              int precision)
{
    size_t p = precision < 0 ? 20 : (size_t)precision;
    return put_open(to, room, at, 1, 4940 + p, flags, width);
}

static void store_count(void *p, int size, size_t n)
{
    switch (size) {
    case 1: *(signed char *)p = (signed char)n; break;
    case 2: *(short *)p = (short)n; break;
    case 8: *(long long *)p = (long long)n; break;
    default: *(int *)p = (int)n; break;
    }
}

/* A format that is not known before the program runs. */
size_t __prova_format(char *to, size_t room, const char *format, va_list list)
{
    size_t at = 0;
    for (size_t i = 0; format[i]; i++) {
        if (format[i] != '%') {
            put(to, room, at++, format[i]);
            continue;
        }
        int flags = 0, precision = -1, size = sizeof(int), long_double = 0;
        size_t width = 0;
        i++;
        for (;; i++) {
            if (format[i] == '-')
                flags |= LEFT;
            else if (format[i] == '+')
                flags |= PLUS;
            else if (format[i] == ' ')
                flags |= SPACE;
            else if (format[i] == '#')
                flags |= ALTERNATE;
            else if (format[i] == '0')
                flags |= ZERO;
            else
                break;
        }
        if (format[i] == '*') {
            int given = __builtin_va_arg(list, int);
            if (given < 0)
                flags |= LEFT;
            width = given < 0 ? -(size_t)given : (size_t)given;
            i++;
        } else {
            for (; format[i] >= '0' && format[i] <= '9'; i++)
                width = width * 10 + (size_t)(format[i] - '0');
            if (format[i] == '$')
                __prova_unmodelled("a format with numbered arguments");
        }
        if (format[i] == '.') {
            i++;
            precision = 0;
            if (format[i] == '*') {
                precision = __builtin_va_arg(list, int);
                i++;
            } else {
                for (; format[i] >= '0' && format[i] <= '9'; i++)
                    precision = precision * 10 + (format[i] - '0');
            }
        }
        if (width > 1000000 || precision > 1000000)
            __prova_unmodelled("a field of a format with more than a million characters");
        if (format[i] == 'h' && format[i + 1] == 'h') {
            size = 1;
            i += 2;
        } else if (format[i] == 'h') {
            size = 2;
            i++;
        } else if (format[i] == 'l' && format[i + 1] == 'l') {
            size = sizeof(long long);
            i += 2;
        } else if (format[i] == 'q' || format[i] == 'j') {
            size = sizeof(long long);
            i++;
        } else if (format[i] == 'l' || format[i] == 'z' || format[i] == 't') {
            size = sizeof(long);
            i++;
            if (format[i] == 'c' || format[i] == 's')
                __prova_unmodelled("wide characters in a format");
        } else if (format[i] == 'L') {
            long_double = 1;
            i++;
        }
        char c = format[i];
        if (c == '%') {
            put(to, room, at++, '%');
        } else if (c == 'd' || c == 'i') {
            intmax n;
            if (size == sizeof(long long))
                n = __builtin_va_arg(list, long long);
            else
                n = __builtin_va_arg(list, int);
            if (size == 1)
                n = (signed char)n;
            if (size == 2)
                n = (short)n;
            at = __prova_put_signed(to, room, at, n, flags, width, precision);
        } else if (c == 'u' || c == 'x' || c == 'X' || c == 'o') {
            uintmax n;
            if (size == sizeof(long long))
                n = __builtin_va_arg(list, unsigned long long);
            else
                n = __builtin_va_arg(list, unsigned);
            if (size == 1)
                n = (unsigned char)n;
            if (size == 2)
                n = (unsigned short)n;
            if (c == 'u')
                at = __prova_put_unsigned(to, room, at, n, flags, width, precision);
            else if (c == 'o')
                at = __prova_put_octal(to, room, at, n, flags, width, precision);
            else
                at = __prova_put_hexadecimal(to, room, at, n, c == 'X' ? flags | UPPER : flags,
                                             width, precision);
        } else if (c == 'c') {
            at = __prova_put_char(to, room, at, __builtin_va_arg(list, int), flags, width);
        } else if (c == 's') {
            at = __prova_put_string(to, room, at, __builtin_va_arg(list, char *), flags, width,
                                    precision);
        } else if (c == 'p') {
            at = __prova_put_pointer(to, room, at, __builtin_va_arg(list, void *), flags, width);
        } else if (c == 'n') {
            store_count(__builtin_va_arg(list, void *), size, at);
        } else if (long_double && (c == 'f' || c == 'F' || c == 'e' || c == 'E' || c == 'g'
                                   || c == 'G' || c == 'a' || c == 'A')) {
            (void)__builtin_va_arg(list, long double);
            at = __prova_put_long_float(to, room, at, flags, width, precision);
        } else if (c == 'f' || c == 'e' || c == 'g' || c == 'a') {
            at = __prova_put_float(to, room, at, __builtin_va_arg(list, double), c, flags, width,
                                   precision);
        } else if (c == 'F' || c == 'E' || c == 'G' || c == 'A') {
            at = __prova_put_float(to, room, at, __builtin_va_arg(list, double), c + 32, flags,
                                   width, precision);
        } else {
            __prova_unmodelled("a conversion of a format");
        }
    }
    return at;
}

/* What output functions return: a number of characters, or something negative. */
int __prova_printed(size_t n)
{
    if (n > 2147483647)
        __prova_unmodelled("more output in one call than an `int` counts");
    return __prova_choice_uchar("whether output fails") & 1 ? -1 : (int)n;
}

int vprintf(const char *restrict format, va_list list)
{
    va_list again;
    __builtin_va_copy(again, list);
    size_t n = __prova_format((char *)0, 0, format, list);
    __prova_printf(format, again);
    return __prova_printed(n);
}

int vsnprintf(char *restrict to, size_t room, const char *restrict format, va_list list)
{
    size_t n = __prova_format(to, room, format, list);
    if (n > 2147483647)
        __prova_unmodelled("more output in one call than an `int` counts");
    return (int)__prova_put_end(to, room, n);
}

int vsprintf(char *restrict to, const char *restrict format, va_list list)
{
    size_t n = __prova_format(to, (size_t)-1, format, list);
    return (int)__prova_put_end(to, (size_t)-1, n);
}

int printf(const char *restrict format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    return vprintf(format, list);
}

int sprintf(char *restrict to, const char *restrict format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    return vsprintf(to, format, list);
}

int snprintf(char *restrict to, size_t room, const char *restrict format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    return vsnprintf(to, room, format, list);
}

int vasprintf(char **restrict to, const char *restrict format, va_list list)
{
    va_list again;
    __builtin_va_copy(again, list);
    size_t n = __prova_format((char *)0, 0, format, list);
    char *block = __prova_block("vasprintf", n + 1);
    *to = block;
    if (!block)
        return -1;
    if (__prova_format(block, n + 1, format, again) > n)
        __prova_unmodelled("the text of a floating number or a pointer");
    return (int)__prova_put_end(block, n + 1, n);
}

int asprintf(char **restrict to, const char *restrict format, ...)
{
    va_list list, again;
    __builtin_va_start(list, format);
    __builtin_va_copy(again, list);
    size_t n = __prova_format((char *)0, 0, format, list);
    char *block = __prova_block("asprintf", n + 1);
    *to = block;
    if (!block)
        return -1;
    if (__prova_format(block, n + 1, format, again) > n)
        __prova_unmodelled("the text of a floating number or a pointer");
    return (int)__prova_put_end(block, n + 1, n);
}
