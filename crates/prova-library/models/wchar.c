/* <wchar.h>: what is like <string.h>, for wide characters. */
static int less_than_zero(void) { return __prova_choice_int("how far below zero") | (-2147483647 - 1); }

static int more_than_zero(void)
{
    int r = __prova_choice_int("how far above zero") & 2147483647;
    return r + !r;
}

static int order_of(wchar_t l, wchar_t r)
{
    if (l == r)
        return 0;
    return l < r ? less_than_zero() : more_than_zero();
}

size_t wcslen(const wchar_t *text)
{
    size_t n = 0;
    while (text[n])
        n++;
    return n;
}

size_t wcsnlen(const wchar_t *text, size_t most)
{
    size_t n = 0;
    while (n < most && text[n])
        n++;
    return n;
}

wchar_t *wcscpy(wchar_t *restrict to, const wchar_t *restrict from)
{
    size_t i = 0;
    for (; from[i]; i++)
        to[i] = from[i];
    to[i] = 0;
    return to;
}

wchar_t *wcpcpy(wchar_t *restrict to, const wchar_t *restrict from)
{
    size_t i = 0;
    for (; from[i]; i++)
        to[i] = from[i];
    to[i] = 0;
    return to + i;
}

wchar_t *wcsncpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n)
{
    size_t i = 0;
    for (; i < n && from[i]; i++)
        to[i] = from[i];
    for (; i < n; i++)
        to[i] = 0;
    return to;
}

wchar_t *wcscat(wchar_t *restrict to, const wchar_t *restrict from)
{
    size_t at = 0, i = 0;
    while (to[at])
        at++;
    for (; from[i]; i++)
        to[at + i] = from[i];
    to[at + i] = 0;
    return to;
}

wchar_t *wcsncat(wchar_t *restrict to, const wchar_t *restrict from, size_t n)
{
    size_t at = 0, i = 0;
    while (to[at])
        at++;
    for (; i < n && from[i]; i++)
        to[at + i] = from[i];
    to[at + i] = 0;
    return to;
}

int wcscmp(const wchar_t *left, const wchar_t *right)
{
    size_t i = 0;
    while (left[i] && left[i] == right[i])
        i++;
    return order_of(left[i], right[i]);
}

int wcsncmp(const wchar_t *left, const wchar_t *right, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (left[i] != right[i])
            return order_of(left[i], right[i]);
        if (!left[i])
            return 0;
    }
    return 0;
}

wchar_t *wcschr(const wchar_t *text, wchar_t c)
{
    size_t i = 0;
    while (text[i] != c) {
        if (!text[i])
            return (wchar_t *)0;
        i++;
    }
    return (wchar_t *)text + i;
}

wchar_t *wcsrchr(const wchar_t *text, wchar_t c)
{
    const wchar_t *found = (wchar_t *)0;
    for (size_t i = 0;; i++) {
        if (text[i] == c)
            found = text + i;
        if (!text[i])
            return (wchar_t *)found;
    }
}

wchar_t *wcsstr(const wchar_t *text, const wchar_t *part)
{
    for (size_t at = 0;; at++) {
        size_t i = 0;
        while (part[i] && text[at + i] == part[i])
            i++;
        if (!part[i])
            return (wchar_t *)text + at;
        if (!text[at + i])
            return (wchar_t *)0;
    }
}

static int is_in(wchar_t c, const wchar_t *set)
{
    for (size_t i = 0; set[i]; i++)
        if (set[i] == c)
            return 1;
    return 0;
}

size_t wcsspn(const wchar_t *text, const wchar_t *set)
{
    size_t n = 0;
    while (text[n] && is_in(text[n], set))
        n++;
    return n;
}

size_t wcscspn(const wchar_t *text, const wchar_t *set)
{
    size_t n = 0;
    while (text[n] && !is_in(text[n], set))
        n++;
    return n;
}

wchar_t *wcspbrk(const wchar_t *text, const wchar_t *set)
{
    size_t n = 0;
    while (text[n] && !is_in(text[n], set))
        n++;
    return text[n] ? (wchar_t *)text + n : (wchar_t *)0;
}

wchar_t *wcsdup(const wchar_t *text)
{
    size_t n = 0;
    while (text[n])
        n++;
    wchar_t *copy = __prova_block("wcsdup", (n + 1) * sizeof(wchar_t));
    if (copy)
        for (size_t i = 0; i <= n; i++)
            copy[i] = text[i];
    return copy;
}

wchar_t *wmemcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = from[i];
    return to;
}

wchar_t *wmempcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = from[i];
    return to + n;
}

wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t n)
{
    if (to <= from) {
        for (size_t i = 0; i < n; i++)
            to[i] = from[i];
    } else {
        for (size_t i = n; i > 0; i--)
            to[i - 1] = from[i - 1];
    }
    return to;
}

wchar_t *wmemset(wchar_t *to, wchar_t c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = c;
    return to;
}

int wmemcmp(const wchar_t *left, const wchar_t *right, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (left[i] != right[i])
            return order_of(left[i], right[i]);
    return 0;
}

wchar_t *wmemchr(const wchar_t *block, wchar_t c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (block[i] == c)
            return (wchar_t *)block + i;
    return (wchar_t *)0;
}
