// expect: false or unknown
// gcc: -fno-builtin
// The library's name for a function of one's own.
extern void reach_error(void);
extern unsigned long strlen(const char *text) __asm__("answer");
unsigned long answer(const char *text) { return 42; }

int main(void)
{
    char text[3] = "ab";
    if (strlen(text) == 42)
        reach_error();
    return 0;
}
