// expect: false or unknown
// native: static void (*kept)(void); void on_tick(void (*f)(void)) { kept = f; } void tick(void) { if (kept) kept(); }
// What is registered is called later, from a function that gets no argument.
extern void reach_error(void);
extern void on_tick(void (*f)(void));
extern void tick(void);
static int ticks;

static void count(void)
{
    ticks = 1;
}
int main(void)
{
    on_tick(count);
    tick();
    if (ticks)
        reach_error();
    return 0;
}
