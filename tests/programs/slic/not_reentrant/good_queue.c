// expect: true
extern int __VERIFIER_nondet_int(void);

static int pending;
static void post(int event)
{
    if (event > 0)
        pending = event;
}
void handle_event(int event)
{
    pending = 0;
    post(event - 1);
}
int main(void)
{
    int rounds = 0;
    post(__VERIFIER_nondet_int());
    while (pending && rounds < 4) {
        handle_event(pending);
        rounds++;
    }
    return 0;
}
