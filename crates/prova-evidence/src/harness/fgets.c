/* --- What the library writes where no sanitizer looks. --- */

/* The library's own function reads into a block of ours, which is then copied where it would have
   gone: there every byte is looked at. */
extern char *prova_real_fgets(char *, int, void *) __asm__("__real_fgets");
extern void *prova_room(__SIZE_TYPE__) __asm__("valloc");
char *prova_fgets(char *, int, void *) __asm__("__wrap_fgets");
char *prova_fgets(char *to, int size, void *stream)
{
    char *read = size > 0 ? (char *)prova_room((__SIZE_TYPE__)size) : 0;
    if (!read)
        return prova_real_fgets(to, size, stream);
    for (int i = 0; i < size; i++)
        read[i] = 'p';
    if (!prova_real_fgets(read, size, stream))
        return 0;
    /* The last byte that was written is the zero at the end. */
    int last = size - 1;
    while (last > 0 && read[last] == 'p')
        last--;
    for (int i = 0; i <= last; i++)
        ((volatile char *)to)[i] = read[i];
    return to;
}
