// expect: true or unknown
// options: --entry next
// native: extern int next(void); int main(void) { next(); next(); next(); return 0; }
// A counter is kept below its bound, whatever it was.
extern void reach_error(void);
static int count;

int next(void)
{
    if (count < 0 || count >= 2)
        count = 0;
    count++;
    if (count > 2)
        reach_error();
    return count;
}
