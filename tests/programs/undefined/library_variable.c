// expect: pure true, havoc unknown
// A variable that is declared and defined nowhere is the library's: it may change, and what it
// leads to is reached.
extern void reach_error(void);
extern void tick(void);
extern int ticks, *hook;

int main(void)
{
    int x = 1, before = ticks;
    hook = &x;
    tick();
    if (ticks == before + 1 && x == 2)
        reach_error();
    return 0;
}
