static unsigned prova_blocks_left(void)
{
    return prova_kept_count;
}

