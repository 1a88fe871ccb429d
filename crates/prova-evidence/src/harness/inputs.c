/* --- Values that functions without a body return, in order. --- */

static unsigned long prova_at;
static unsigned long prova_round;

/* Where all were returned and the program does not end, those of a round are returned again. */
static void prova_come_round(void)
{
#ifdef PROVA_AGAIN
    if (prova_inputs[prova_at].function || !prova_inputs[PROVA_AGAIN].function)
        return;
    prova_at = PROVA_AGAIN;
    if (++prova_round == 1000000)
        prova_error_reached("the same again for the millionth time");
#endif
}

/* Whether the next value is this function's. */
static int prova_is_next(const char *function)
{
    prova_come_round();
    const char *recorded = prova_inputs[prova_at].function;
    for (unsigned i = 0; recorded && recorded[i] == function[i]; i++)
        if (!function[i])
            return 1;
    return 0;
}

static void prova_next(const char *function, void *to, unsigned size)
{
    prova_come_round();
    const struct prova_input *input = &prova_inputs[prova_at];
    if (!input->function)
        prova_stop(PROVA_EXHAUSTED, "no value is left for ", function);
    if (!prova_is_next(function))
        prova_stop(PROVA_DIVERGED, "a value was recorded for another function than ", function);
    prova_at++;
    if (prova_at <= 1000 && !prova_round) {
        prova_say("prova: ");
        prova_say(function);
        prova_say("() = ");
        prova_say_number((long long)input->low);
        prova_say("\n");
    }
    for (unsigned i = 0; i < size; i++)
        ((char *)to)[i] = (i < 8 ? input->low >> 8 * i : input->high >> 8 * (i - 8)) & 0xff;
}
