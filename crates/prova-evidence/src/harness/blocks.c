extern void prova_poison(void const volatile *, __SIZE_TYPE__)
    __asm__("__asan_poison_memory_region") __attribute__((weak));

/* What the next block holds. A sanitizer takes a block of no bytes for one of one byte. */
static void prova_fill(void *block, unsigned long size)
{
    static unsigned long at;
    static const struct prova_bytes empty;
    const struct prova_bytes *contents = &prova_blocks[at];
    if (contents->name)
        at++;
    else
        contents = &empty;
    if (block)
        prova_copy(block, contents, size);
    if (block && !size && prova_poison)
        prova_poison(block, 1);
}

