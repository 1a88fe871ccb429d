// expect: false or unknown
// The linker says where the program's data ends.
extern void reach_error(void);
extern char end;
static char last[10];

int main(void)
{
    if (&end > last)
        reach_error();
    return 0;
}
