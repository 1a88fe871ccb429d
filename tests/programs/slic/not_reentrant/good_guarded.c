// expect: true
extern int __VERIFIER_nondet_int(void);

static int running;
void handle_event(int event);
static void notify(int event)
{
    if (!running)
        handle_event(event);
}
void handle_event(int event)
{
    running = 1;
    if (event > 3)
        running = 2;
    running = 0;
}
int main(void)
{
    notify(__VERIFIER_nondet_int());
    notify(2);
    return 0;
}
