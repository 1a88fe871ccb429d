// expect: false
extern int __VERIFIER_nondet_int(void);

void handle_event(int event);
static void notify(int event)
{
    if (event == 40)
        handle_event(event + 1);
}
void handle_event(int event) // bad
{
    notify(event);
}
int main(void)
{
    handle_event(__VERIFIER_nondet_int());
    return 0;
}
