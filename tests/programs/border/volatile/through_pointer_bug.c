// expect: false or unknown
// not shown by gcc: somebody else has to write the place
// What is read through a pointer to volatile need not be what was written.
extern void reach_error(void);

static int port;

int main(void)
{
    volatile int *p = &port;
    int seen;
    *p = 1;
    seen = *p;
    if (*p != 1 && seen == 1)
        reach_error();
    return 0;
}
