// expect: true or unknown
// native: static void (*kept)(void); void on_tick(void (*f)(void)) { kept = f; } void tick(void) { if (kept) kept(); }
// What is registered may be called later; before, nothing was called.
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
    if (ticks)
        reach_error();
    on_tick(count);
    tick();
    return 0;
}
