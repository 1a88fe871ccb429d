// expect: false or unknown
// options: --entry f
// Reading shows it, too.
extern void reach_error(void);
int count;

void f(const int *p)
{
    if (!p)
        return;
    count = 1;
    int before = *p;
    count = 2;
    if (*p != before)
        reach_error();
}
