// expect: false or unknown
// options: --entry apply
// not shown by gcc: the entry needs a caller
// The function that the entry is given may change a global.
extern void reach_error(void);
int shared = 1;

void apply(void (*f)(void))
{
    int mine = 1;
    shared = 1;
    if (!f)
        return;
    f();
    if (shared != 1)
        reach_error();
}
