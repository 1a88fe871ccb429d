// expect: true or unknown
// property: no-null-deref
// A weak function that nobody defines is asked for before the call.
extern int extra(void) __attribute__((weak));

int main(void)
{
    if (!extra)
        return 0;
    return extra();
}
