// expect: false or unknown
// options: --entry f
extern void reach_error(void);
int table[3];

void f(int *p)
{
    if (!p)
        return;
    table[2] = 1;
    *p = 2;
    if (table[2] != 1)
        reach_error();
}
