// expect: true
// property: valid-deref
// An array that was initialised by a literal may be written.

int main(void)
{
    char text[] = "abc";
    char *p = text;
    p[0] = 'x';
    return p[0];
}
