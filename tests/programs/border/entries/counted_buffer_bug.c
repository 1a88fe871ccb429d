// expect: false or unknown
// property: valid-deref
// options: --entry clear
// native: extern void clear(char *p, unsigned n); int main(void) { char v[2]; clear(v, 8); return 0; }
// The count that is passed need not be that of the buffer.

void clear(char *p, unsigned n)
{
    unsigned i;
    if (!p || n > 8)
        return;
    for (i = 0; i < n; i++)
        p[i] = 0;
}
