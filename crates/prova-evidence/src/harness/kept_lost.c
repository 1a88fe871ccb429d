extern char prova_data[] __asm__("__data_start"), prova_data_end[] __asm__("_end");
extern __SIZE_TYPE__ prova_size(void *) __asm__("malloc_usable_size");
static char prova_seen[PROVA_MOST_KEPT]; /* 1: something leads there; 2: and it was looked into */

static void prova_look(char *from, char *to)
{
    while ((__UINTPTR_TYPE__)from % sizeof(void *))
        from++;
    for (; from + sizeof(void *) <= to; from += sizeof(void *))
        for (unsigned i = 0; i < prova_kept_count; i++) {
            char *block = (char *)~prova_kept[i], *at = *(char *volatile *)from;
            if (!prova_seen[i] && at >= block && at <= block + prova_size(block))
                prova_seen[i] = 1;
        }
}

/* Blocks that no global variable leads to, directly or through other blocks. */
static unsigned prova_blocks_left(void)
{
    unsigned found = 0;
    prova_look(prova_data, prova_data_end);
    for (unsigned i = 0; i < prova_kept_count; i++)
        if (prova_seen[i] == 1) {
            char *block = (char *)~prova_kept[i];
            prova_seen[i] = 2;
            prova_look(block, block + prova_size(block));
            i = (unsigned)-1;
        }
    for (unsigned i = 0; i < prova_kept_count; i++)
        found += !prova_seen[i];
    return found;
}

/* Where the program ends in the midst of calls, their variables may lead to blocks, too. */
extern char *prova_stack_end __asm__("__libc_stack_end");
static void prova_roots(char *frame)
{
    prova_look(frame, prova_stack_end);
}

