extern int __VERIFIER_nondet_int(void);
extern void prova_goal(void);
int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x * 3 == 51)
        prova_goal();
    if (x == 1 && x == 2)
        prova_goal();
    return 0;
}
