// expect: true
// native: int version = 4;
// A variable that is defined elsewhere has some value, the same at both reads.
extern void reach_error(void);
extern int version;

int main(void)
{
    int v = version;
    if (v != version)
        reach_error();
    return 0;
}
