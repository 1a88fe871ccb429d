/* --- What uninitialised variables hold: the copy of the source asks at their declarations. --- */

void prova_uninitialised(const char *name, void *variable, unsigned long size)
{
    for (unsigned i = 0; prova_unset[i].name; i++) {
        const char *a = prova_unset[i].name, *b = name;
        while (*a && *a == *b)
            a++, b++;
        if (*a || *b || prova_unset_used[i])
            continue;
        if (prova_unset[i].size != size)
            prova_stop(PROVA_DIVERGED, "another size was recorded for ", name);
        prova_unset_used[i] = 1;
        prova_copy(variable, &prova_unset[i], size);
        return;
    }
}
