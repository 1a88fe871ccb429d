static unsigned prova_blocks_left(void)
{
    return prova_kept_count;
}

static void prova_roots(char *frame)
{
    (void)frame;
}

