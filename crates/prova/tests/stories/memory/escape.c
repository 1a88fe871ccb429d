// check: --property valid-deref
extern char __VERIFIER_nondet_char(void);
static unsigned unescape(const char *json, char *out)
{
    unsigned n = 0;
    while (*json) {
        if (*json == '\\' && json[1] == 'u')
            json += 5;
        out[n++] = *json++;
    }
    return n;
}
int main(void)
{
    char json[4], out[4];
    unsigned i;
    for (i = 0; i < 3; i++)
        json[i] = __VERIFIER_nondet_char();
    json[3] = 0;
    return unescape(json, out);
}
