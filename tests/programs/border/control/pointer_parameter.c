// expect: true or unknown
// options: --entry apply
// The function that the entry is given returns something, and the local variable stays.
extern void reach_error(void);
int shared = 1;

void apply(void (*f)(void))
{
    int mine = 1;
    shared = 1;
    if (!f)
        return;
    f();
    if (mine != 1)
        reach_error();
}
