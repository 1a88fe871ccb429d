/* <string.h> and <strings.h>. Bytes are read and written one at a time, so that an access beyond
   an object is one here, and is told at the caller's line. What the standard leaves open (how far
   from zero a comparison is) is a choice. */
void *malloc(size_t);
void free(void *);
void __prova_apart(const void *, const void *, size_t);

static int less_than_zero(void) { return __prova_choice_int("how far below zero") | (-2147483647 - 1); }

static int more_than_zero(void)
{
    int r = __prova_choice_int("how far above zero") & 2147483647;
    return r + !r;
}

static int order_of(unsigned char l, unsigned char r)
{
    if (l == r)
        return 0;
    return l < r ? less_than_zero() : more_than_zero();
}

static unsigned char lower(char c)
{
    unsigned char u = c;
    return u >= 'A' && u <= 'Z' ? u + 32 : u;
}

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    char *t = to;
    const char *f = from;
    for (size_t i = 0; i < n; i++)
        t[i] = f[i];
    return to;
}

void bcopy(const void *from, void *to, size_t n)
{
    memmove(to, from, n);
}

void *mempcpy(void *restrict to, const void *restrict from, size_t n)
{
    char *t = to;
    const char *f = from;
    for (size_t i = 0; i < n; i++)
        t[i] = f[i];
    return t + n;
}

void *memccpy(void *restrict to, const void *restrict from, int byte, size_t n)
{
    char *t = to;
    const char *f = from;
    for (size_t i = 0; i < n; i++) {
        t[i] = f[i];
        if (f[i] == (char)byte)
            return t + i + 1;
    }
    return (void *)0;
}

void *memmove(void *to, const void *from, size_t n)
{
    char *t = to;
    const char *f = from;
    if (t <= f) {
        for (size_t i = 0; i < n; i++)
            t[i] = f[i];
    } else {
        for (size_t i = n; i > 0; i--)
            t[i - 1] = f[i - 1];
    }
    return to;
}

void *memset(void *block, int byte, size_t n)
{
    unsigned char *b = block;
    for (size_t i = 0; i < n; i++)
        b[i] = (unsigned char)byte;
    return block;
}

void bzero(void *block, size_t n)
{
    unsigned char *b = block;
    for (size_t i = 0; i < n; i++)
        b[i] = 0;
}

void explicit_bzero(void *block, size_t n)
{
    unsigned char *b = block;
    for (size_t i = 0; i < n; i++)
        b[i] = 0;
}

/* All bytes of both blocks are read: a comparison may look at any of them. */
int memcmp(const void *left, const void *right, size_t n)
{
    const unsigned char *l = left, *r = right;
    for (size_t i = 0; i < n; i++)
        if (l[i] != r[i])
            return l[i] < r[i] ? less_than_zero() : more_than_zero();
    return 0;
}

int bcmp(const void *left, const void *right, size_t n)
{
    const unsigned char *l = left, *r = right;
    for (size_t i = 0; i < n; i++)
        if (l[i] != r[i]) {
            int some = __prova_choice_int("how far from zero");
            return some + !some;
        }
    return 0;
}

void *memchr(const void *block, int byte, size_t n)
{
    const unsigned char *b = block;
    for (size_t i = 0; i < n; i++)
        if (b[i] == (unsigned char)byte)
            return (void *)(b + i);
    return (void *)0;
}

void *rawmemchr(const void *block, int byte)
{
    const unsigned char *b = block;
    size_t i = 0;
    while (b[i] != (unsigned char)byte)
        i++;
    return (void *)(b + i);
}

void *memrchr(const void *block, int byte, size_t n)
{
    const unsigned char *b = block;
    for (size_t i = n; i > 0; i--)
        if (b[i - 1] == (unsigned char)byte)
            return (void *)(b + i - 1);
    return (void *)0;
}

void *memmem(const void *block, size_t n, const void *part, size_t m)
{
    const char *b = block, *p = part;
    for (size_t at = 0; m <= n && at <= n - m; at++) {
        size_t i = 0;
        while (i < m && b[at + i] == p[i])
            i++;
        if (i == m)
            return (void *)(b + at);
    }
    return (void *)0;
}

size_t strlen(const char *text)
{
    size_t n = 0;
    while (text[n])
        n++;
    return n;
}

size_t strnlen(const char *text, size_t most)
{
    size_t n = 0;
    while (n < most && text[n])
        n++;
    return n;
}

int strcmp(const char *left, const char *right)
{
    size_t i = 0;
    while (left[i] && left[i] == right[i])
        i++;
    return order_of(left[i], right[i]);
}

/* In the C locale, and no other can be set here. */
int strcoll(const char *left, const char *right)
{
    return strcmp(left, right);
}

size_t strxfrm(char *restrict to, const char *restrict from, size_t n)
{
    size_t i = 0;
    for (; from[i]; i++)
        if (i < n)
            to[i] = from[i];
    if (i < n)
        to[i] = 0;
    return i;
}

int strncmp(const char *left, const char *right, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (left[i] != right[i])
            return order_of(left[i], right[i]);
        if (!left[i])
            return 0;
    }
    return 0;
}

int strcasecmp(const char *left, const char *right)
{
    size_t i = 0;
    while (left[i] && lower(left[i]) == lower(right[i]))
        i++;
    return order_of(lower(left[i]), lower(right[i]));
}

int strncasecmp(const char *left, const char *right, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (lower(left[i]) != lower(right[i]))
            return order_of(lower(left[i]), lower(right[i]));
        if (!left[i])
            return 0;
    }
    return 0;
}

/* Copies a text, at most `most` characters of it; how many there were. Texts that overlap are an error
   as soon as a byte is reached that is in both. Where a caller can see that they lie apart, the front
   end calls the functions that do not ask (`__prova_strcpy` and its like). */
static size_t copy(char *to, const char *from, size_t most)
{
    size_t i = 0;
    for (; i < most && from[i]; i++) {
        __prova_apart(to, from, i + 1);
        to[i] = from[i];
    }
    return i;
}

static size_t end_of(const char *text)
{
    size_t n = 0;
    while (text[n])
        n++;
    return n;
}

char *strcpy(char *restrict to, const char *restrict from)
{
    size_t i = 0;
    for (; from[i]; i++) {
        __prova_apart(to, from, i + 1);
        to[i] = from[i];
    }
    __prova_apart(to, from, i + 1);
    to[i] = 0;
    return to;
}

char *__prova_strcpy(char *restrict to, const char *restrict from)
{
    size_t i = 0;
    for (; from[i]; i++)
        to[i] = from[i];
    to[i] = 0;
    return to;
}

char *stpcpy(char *restrict to, const char *restrict from)
{
    size_t i = copy(to, from, (size_t)-1);
    __prova_apart(to, from, i + 1);
    to[i] = 0;
    return to + i;
}

char *strncpy(char *restrict to, const char *restrict from, size_t n)
{
    size_t i = copy(to, from, n);
    for (; i < n; i++)
        to[i] = 0;
    return to;
}

char *__prova_strncpy(char *restrict to, const char *restrict from, size_t n)
{
    size_t i = 0;
    for (; i < n && from[i]; i++)
        to[i] = from[i];
    for (; i < n; i++)
        to[i] = 0;
    return to;
}

char *stpncpy(char *restrict to, const char *restrict from, size_t n)
{
    size_t end = copy(to, from, n), i = end;
    for (; i < n; i++)
        to[i] = 0;
    return to + end;
}

char *strcat(char *restrict to, const char *restrict from)
{
    char *end = to + end_of(to);
    size_t i = 0;
    for (; from[i]; i++) {
        __prova_apart(end, from, i + 1);
        end[i] = from[i];
    }
    __prova_apart(end, from, i + 1);
    end[i] = 0;
    return to;
}

char *__prova_strcat(char *restrict to, const char *restrict from)
{
    size_t at = 0, i = 0;
    while (to[at])
        at++;
    for (; from[i]; i++)
        to[at + i] = from[i];
    to[at + i] = 0;
    return to;
}

char *strncat(char *restrict to, const char *restrict from, size_t n)
{
    char *end = to + end_of(to);
    end[copy(end, from, n)] = 0;
    return to;
}

char *strchr(const char *text, int c)
{
    size_t i = 0;
    while (text[i] != (char)c) {
        if (!text[i])
            return (char *)0;
        i++;
    }
    return (char *)text + i;
}

char *index(const char *text, int c)
{
    return strchr(text, c);
}

char *strchrnul(const char *text, int c)
{
    size_t i = 0;
    while (text[i] && text[i] != (char)c)
        i++;
    return (char *)text + i;
}

char *strrchr(const char *text, int c)
{
    const char *found = (char *)0;
    size_t i = 0;
    for (;; i++) {
        if (text[i] == (char)c)
            found = text + i;
        if (!text[i])
            return (char *)found;
    }
}

char *rindex(const char *text, int c)
{
    return strrchr(text, c);
}

char *strstr(const char *text, const char *part)
{
    for (size_t at = 0;; at++) {
        size_t i = 0;
        while (part[i] && text[at + i] == part[i])
            i++;
        if (!part[i])
            return (char *)text + at;
        if (!text[at + i])
            return (char *)0;
    }
}

char *strcasestr(const char *text, const char *part)
{
    for (size_t at = 0;; at++) {
        size_t i = 0;
        while (part[i] && lower(text[at + i]) == lower(part[i]))
            i++;
        if (!part[i])
            return (char *)text + at;
        if (!text[at + i])
            return (char *)0;
    }
}

char *strdup(const char *text)
{
    size_t n = 0;
    while (text[n])
        n++;
    char *copy = __prova_block("strdup", n + 1);
    if (copy)
        for (size_t i = 0; i <= n; i++)
            copy[i] = text[i];
    return copy;
}

char *strndup(const char *text, size_t most)
{
    size_t n = 0;
    while (n < most && text[n])
        n++;
    char *copy = __prova_block("strndup", n + 1);
    if (copy) {
        for (size_t i = 0; i < n; i++)
            copy[i] = text[i];
        copy[n] = 0;
    }
    return copy;
}

static int is_in(char c, const char *set)
{
    for (size_t i = 0; set[i]; i++)
        if (set[i] == c)
            return 1;
    return 0;
}

size_t strspn(const char *text, const char *set)
{
    size_t n = 0;
    while (text[n] && is_in(text[n], set))
        n++;
    return n;
}

size_t strcspn(const char *text, const char *set)
{
    size_t n = 0;
    while (text[n] && !is_in(text[n], set))
        n++;
    return n;
}

char *strpbrk(const char *text, const char *set)
{
    size_t n = 0;
    while (text[n] && !is_in(text[n], set))
        n++;
    return text[n] ? (char *)text + n : (char *)0;
}

char *strtok_r(char *restrict text, const char *restrict set, char **restrict rest)
{
    char *start = text ? text : *rest;
    __prova_demand(start != (char *)0, "strtok_r without a string to go on with");
    size_t from = 0;
    while (start[from] && is_in(start[from], set))
        from++;
    if (!start[from]) {
        *rest = start + from;
        return (char *)0;
    }
    size_t to = from;
    while (start[to] && !is_in(start[to], set))
        to++;
    if (start[to]) {
        start[to] = 0;
        *rest = start + to + 1;
    } else {
        *rest = start + to;
    }
    return start + from;
}

static char *strtok_rest;

char *strtok(char *restrict text, const char *restrict set)
{
    return strtok_r(text, set, &strtok_rest);
}

char *strsep(char **restrict text, const char *restrict set)
{
    char *start = *text;
    if (!start)
        return (char *)0;
    size_t to = 0;
    while (start[to] && !is_in(start[to], set))
        to++;
    if (start[to]) {
        start[to] = 0;
        *text = start + to + 1;
    } else {
        *text = (char *)0;
    }
    return start;
}

static int lowest_bit(unsigned long long bits)
{
    return bits ? __builtin_ctzll(bits) + 1 : 0;
}

int ffs(int bits) { return lowest_bit((unsigned)bits); }
int ffsl(long bits) { return lowest_bit((unsigned long)bits); }
int ffsll(long long bits) { return lowest_bit((unsigned long long)bits); }

void *memfrob(void *block, size_t n)
{
    unsigned char *b = block;
    for (size_t i = 0; i < n; i++)
        b[i] ^= 42;
    return block;
}

void swab(const void *restrict from, void *restrict to, ssize_t n)
{
    const char *f = from;
    char *t = to;
    for (ssize_t i = 0; i + 1 < n; i += 2) {
        char first = f[i];
        t[i] = f[i + 1];
        t[i + 1] = first;
    }
}
