// check: --property valid-deref
static unsigned count(const char *text, char wanted)
{
    unsigned n = 0, i;
    for (i = 0; i <= 5; i++)
        if (text[i] == wanted)
            n++;
    return n;
}
int main(void)
{
    return count("abca", 'a');
}
