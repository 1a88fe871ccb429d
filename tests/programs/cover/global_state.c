extern int __VERIFIER_nondet_int(void);
static int state;
static void step(int event)
{
    if (state == 0 && event == 1)
        state = 1;
    else if (state == 1 && event == 2)
        state = 2;
    else if (state == 3)
        state = 0;
}
int main(void)
{
    int i;
    for (i = 0; i < 3; i++)
        step(__VERIFIER_nondet_int());
    return state;
}
