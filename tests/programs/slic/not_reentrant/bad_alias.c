// expect: false
extern int __VERIFIER_nondet_int(void);

typedef void (*listener)(int);
static listener table[2];
static void ignore(int event)
{
    (void)event;
}
void handle_event(int event) // bad
{
    listener *next = &table[event & 1];
    if (event > 0)
        (*next)(event - 2);
}
int main(void)
{
    listener *slot = __VERIFIER_nondet_int() ? &table[0] : &table[1];
    table[0] = table[1] = ignore;
    *slot = handle_event;
    handle_event(2);
    return 0;
}
