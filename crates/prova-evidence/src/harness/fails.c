extern int *prova_errno(void) __asm__("__errno_location");

/* Whether this call fails; then it says why, as the library does. */
static int prova_fails(const char *function)
{
    int fails = 0;
    prova_next(function, &fails, sizeof fails);
    if (fails)
        *prova_errno() = 12; /* ENOMEM */
    return fails;
}

