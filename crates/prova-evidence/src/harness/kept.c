/* Blocks that are not freed yet. Their addresses are hidden, so that the table does not count as a
   variable that points to them. */
enum { PROVA_MOST_KEPT = 8192 };
static __UINTPTR_TYPE__ prova_kept[PROVA_MOST_KEPT];
static unsigned prova_kept_count, prova_too_many;

static void prova_keep(void *block)
{
    if (prova_kept_count == PROVA_MOST_KEPT)
        prova_too_many = 1;
    else if (block)
        prova_kept[prova_kept_count++] = ~(__UINTPTR_TYPE__)block;
}

static void prova_forget(void *block)
{
    for (unsigned i = prova_kept_count; i-- > 0;)
        if (prova_kept[i] == ~(__UINTPTR_TYPE__)block) {
            prova_kept[i] = prova_kept[--prova_kept_count];
            return;
        }
}

extern void prova_real_free(void *) __asm__("__real_free");
void prova_free(void *) __asm__("__wrap_free");
void prova_free(void *block)
{
    prova_forget(block);
    prova_real_free(block);
}

