// expect: true or unknown
// native: static int five(void) { return 5; } int (*choose(void))(void) { return five; }
// A function that nobody can name returns something, which is asked.
extern void reach_error(void);
extern int (*choose(void))(void);

int main(void)
{
    int got = choose()();
    if (got < 0 && got > 4)
        reach_error();
    return 0;
}
