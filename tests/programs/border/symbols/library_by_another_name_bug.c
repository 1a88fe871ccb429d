// expect: false or unknown
// A name of one's own for a function of the library's.
extern void reach_error(void);
extern unsigned long length_of(const char *text) __asm__("strlen");

int main(void)
{
    if (length_of("abc") == 3)
        reach_error();
    return 0;
}
