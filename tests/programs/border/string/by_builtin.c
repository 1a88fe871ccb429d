// expect: true
// property: valid-deref
// gcc: -fbuiltin
// The builtin of strcpy writes the terminator.

int main(void)
{
    char to[4];
    __builtin_strcpy(to, "abc");
    return to[0];
}
