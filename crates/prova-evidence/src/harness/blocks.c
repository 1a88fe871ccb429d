/* --- What blocks from malloc hold. --- */

extern void *prova_real_malloc(__SIZE_TYPE__) __asm__("__real_malloc");
void *prova_malloc(__SIZE_TYPE__) __asm__("__wrap_malloc");
void *prova_malloc(__SIZE_TYPE__ size)
{
    static unsigned long at;
    static const struct prova_bytes empty;
    void *block = prova_real_malloc(size);
    const struct prova_bytes *contents = &prova_blocks[at];
    if (contents->name)
        at++;
    else
        contents = &empty;
    if (block)
        prova_copy(block, contents, size);
    return block;
}
