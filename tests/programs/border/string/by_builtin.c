// expect: true
// property: valid-deref
// The builtin of strcpy writes the terminator.

int main(void)
{
    char to[4];
    __builtin_strcpy(to, "abc");
    return to[0];
}
