/* --- What functions without a body write, in order. --- */

static void prova_called(const char *function, void **arguments)
{
    static unsigned long at, known;
    const struct prova_effect *effect = &prova_effects[at];
    if (effect->kind != 'f')
        prova_stop(PROVA_EXHAUSTED, "nothing is recorded for a call of ", function);
    for (unsigned i = 0;; i++) {
        if (effect->text[i] != function[i])
            prova_stop(PROVA_DIVERGED, "another function was recorded than ", function);
        if (!function[i])
            break;
    }
    for (at++; prova_effects[at].kind && prova_effects[at].kind != 'f'; at++) {
        effect = &prova_effects[at];
        char *from = effect->kind == 'a' ? 0 : prova_known[effect->from] + effect->offset;
        switch (effect->kind) {
        case 'a':
            prova_known[known++] = (char *)arguments[effect->from];
            break;
        case 'l':
            prova_known[known++] = *(char *volatile *)from;
            break;
        case 'w':
            prova_say("prova: ");
            prova_say(function);
            prova_say("() writes ");
            prova_say_number((long long)effect->size);
            prova_say(" bytes\n");
            for (unsigned long i = 0; i < effect->size; i++)
                ((volatile char *)from)[i] = i < effect->length ? effect->text[i] : 0;
            break;
        }
    }
}
