// expect: false
// property: valid-deref
// shown by: a crash of the program
// A literal must not be written.

int main(void)
{
    char *p = "abc";
    p[0] = 'x';
    return p[0];
}
