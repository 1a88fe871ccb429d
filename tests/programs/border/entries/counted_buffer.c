// expect: true or unknown
// property: valid-deref
// options: --entry clear
// native: extern void clear(char *p, unsigned n); int main(void) { char v[2]; clear(v, 8); return 0; }
// The function's own buffer is as long as it is.

void clear(char *p, unsigned n)
{
    unsigned i;
    char own[8];
    p = own;
    if (!p || n > 8)
        return;
    for (i = 0; i < n; i++)
        p[i] = 0;
}
