// expect: false
// property: valid-deref
// The builtin of strcpy writes the terminator, where there is no room.

int main(void)
{
    char to[4];
    __builtin_strcpy(to, "abcd");
    return to[0];
}
