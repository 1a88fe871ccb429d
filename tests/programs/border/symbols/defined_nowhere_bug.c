// expect: false or unknown
// native: int version = 4;
// A variable that is defined elsewhere need not be zero.
extern void reach_error(void);
extern int version;

int main(void)
{
    if (version != 0)
        reach_error();
    return 0;
}
