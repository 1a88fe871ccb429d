/* --- Values that functions without a body return, in order. --- */

static void prova_next(const char *function, void *to, unsigned size)
{
    static unsigned long at;
    const struct prova_input *input = &prova_inputs[at];
    if (!input->function)
        prova_stop(PROVA_EXHAUSTED, "no value is left for ", function);
    for (unsigned i = 0;; i++) {
        if (input->function[i] != function[i])
            prova_stop(PROVA_DIVERGED, "a value was recorded for another function than ", function);
        if (!function[i])
            break;
    }
    at++;
    if (at <= 1000) {
        prova_say("prova: ");
        prova_say(function);
        prova_say("() = ");
        prova_say_number((long long)input->low);
        prova_say("\n");
    }
    for (unsigned i = 0; i < size; i++)
        ((char *)to)[i] = (i < 8 ? input->low >> 8 * i : input->high >> 8 * (i - 8)) & 0xff;
}
