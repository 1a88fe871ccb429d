// expect: false or unknown
// property: valid-deref
// not shown by gcc: its sanitizer does not watch this function
// The checked copy of preprocessed programs does not read behind its source.
extern void *__memcpy_chk(void *to, const void *from, __SIZE_TYPE__ n, __SIZE_TYPE__ room);

int main(void)
{
    char from[4] = "abc", to[16];
    __memcpy_chk(to, from, 8, sizeof to);
    return to[0];
}
