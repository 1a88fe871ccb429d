/* What other verifiers' words do that takes more than a statement. */

void __CPROVER_havoc_slice(void *start, size_t size)
{
    unsigned char *bytes = start;
    for (size_t i = 0; i < size; i++)
        bytes[i] = __prova_choice_uchar("what is havocked");
}

void klee_make_symbolic(void *start, size_t size, const char *name)
{
    (void)name;
    __CPROVER_havoc_slice(start, size);
}

void __CPROVER_havoc_object(void *start)
{
    (void)start;
    __prova_unmodelled("`__CPROVER_havoc_object` through a pointer");
}
