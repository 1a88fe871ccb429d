extern int *prova_errno(void) __asm__("__errno_location");

/* Whether this call fails; then it says why, as the library does. Not every call is recorded: one
   that had nothing to allocate is not. */
static int prova_fails(const char *function, int why)
{
    int fails = 0;
    if (prova_is_next(function))
        prova_next(function, &fails, sizeof fails);
    if (fails)
        *prova_errno() = why;
    return fails;
}

