void *malloc(size_t);
int tolower(int);

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    char *t = to;
    const char *f = from;
    for (size_t i = 0; i < n; i++)
        t[i] = f[i];
    return to;
}

void *mempcpy(void *restrict to, const void *restrict from, size_t n)
{
    memcpy(to, from, n);
    return (char *)to + n;
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

int memcmp(const void *left, const void *right, size_t n)
{
    const unsigned char *l = left, *r = right;
    for (size_t i = 0; i < n; i++)
        if (l[i] != r[i])
            return l[i] < r[i] ? -1 : 1;
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
    unsigned char l = left[i], r = right[i];
    return l < r ? -1 : l > r;
}

int strncmp(const char *left, const char *right, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned char l = left[i], r = right[i];
        if (l != r)
            return l < r ? -1 : 1;
        if (!l)
            return 0;
    }
    return 0;
}

int strcasecmp(const char *left, const char *right)
{
    for (size_t i = 0;; i++) {
        int l = tolower((unsigned char)left[i]), r = tolower((unsigned char)right[i]);
        if (l != r || !l)
            return l - r;
    }
}

int strncasecmp(const char *left, const char *right, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int l = tolower((unsigned char)left[i]), r = tolower((unsigned char)right[i]);
        if (l != r || !l)
            return l - r;
    }
    return 0;
}

char *strcpy(char *restrict to, const char *restrict from)
{
    size_t i = 0;
    for (; from[i]; i++)
        to[i] = from[i];
    to[i] = 0;
    return to;
}

char *stpcpy(char *restrict to, const char *restrict from)
{
    size_t i = 0;
    for (; from[i]; i++)
        to[i] = from[i];
    to[i] = 0;
    return to + i;
}

char *strncpy(char *restrict to, const char *restrict from, size_t n)
{
    size_t i = 0;
    for (; i < n && from[i]; i++)
        to[i] = from[i];
    for (; i < n; i++)
        to[i] = 0;
    return to;
}

char *strcat(char *restrict to, const char *restrict from)
{
    strcpy(to + strlen(to), from);
    return to;
}

char *strncat(char *restrict to, const char *restrict from, size_t n)
{
    size_t at = strlen(to), i = 0;
    for (; i < n && from[i]; i++)
        to[at + i] = from[i];
    to[at + i] = 0;
    return to;
}

char *strchr(const char *text, int c)
{
    for (;; text++) {
        if (*text == (char)c)
            return (char *)text;
        if (!*text)
            return (char *)0;
    }
}

char *index(const char *text, int c)
{
    return strchr(text, c);
}

char *strrchr(const char *text, int c)
{
    const char *found = (char *)0;
    for (;; text++) {
        if (*text == (char)c)
            found = text;
        if (!*text)
            return (char *)found;
    }
}

char *rindex(const char *text, int c)
{
    return strrchr(text, c);
}

char *strstr(const char *text, const char *part)
{
    for (;; text++) {
        size_t i = 0;
        while (part[i] && text[i] == part[i])
            i++;
        if (!part[i])
            return (char *)text;
        if (!*text)
            return (char *)0;
    }
}

char *strdup(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    if (copy)
        strcpy(copy, text);
    return copy;
}

char *strndup(const char *text, size_t most)
{
    size_t n = strnlen(text, most);
    char *copy = malloc(n + 1);
    if (copy) {
        memcpy(copy, text, n);
        copy[n] = 0;
    }
    return copy;
}

size_t strspn(const char *text, const char *set)
{
    size_t n = 0;
    while (text[n] && strchr(set, text[n]))
        n++;
    return n;
}

size_t strcspn(const char *text, const char *set)
{
    size_t n = 0;
    while (text[n] && !strchr(set, text[n]))
        n++;
    return n;
}

char *strpbrk(const char *text, const char *set)
{
    text += strcspn(text, set);
    return *text ? (char *)text : (char *)0;
}
