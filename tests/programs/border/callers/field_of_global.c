// expect: false or unknown
// options: --entry f
extern void reach_error(void);
struct { short kind; int value; } thing;

void f(int *p)
{
    if (!p)
        return;
    thing.value = 1;
    *p = 2;
    if (thing.value != 1)
        reach_error();
}
