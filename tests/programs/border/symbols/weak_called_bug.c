// expect: false or unknown
// property: no-null-deref
// shown by: a crash of the program
// A weak function that nobody defines is called.
extern int extra(void) __attribute__((weak));

int main(void)
{
    return extra();
}
