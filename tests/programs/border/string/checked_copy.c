// expect: true or unknown
// property: valid-deref
// The checked copy of preprocessed programs copies what fits.
extern void *__memcpy_chk(void *to, const void *from, __SIZE_TYPE__ n, __SIZE_TYPE__ room);

int main(void)
{
    char from[4] = "abc", to[16];
    __memcpy_chk(to, from, 4, sizeof to);
    return to[0];
}
