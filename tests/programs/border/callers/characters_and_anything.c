// expect: false or unknown
// options: --entry f
// Through characters everything can be written.
extern void reach_error(void);
struct state { long a, b; } state;

void f(char *p)
{
    if (!p)
        return;
    state.b = 1;
    *p = 2;
    if (state.b != 1)
        reach_error();
}
