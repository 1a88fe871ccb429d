// expect: false or unknown
// options: --entry next
// native: extern int next(void); int main(void) { next(); next(); next(); return 0; }
// A counter of the file has any value that earlier calls left.
extern void reach_error(void);
static int count;

int next(void)
{
    count++;
    if (count > 2)
        reach_error();
    return count;
}
