// expect: pure true, havoc unknown
// A function that is given away may be called at any time.
extern void reach_error(void);
extern void on_event(void (*handler)(void));

static int events;

static void count(void)
{
    events++;
}

int main(void)
{
    on_event(count);
    if (events)
        reach_error();
    return 0;
}
