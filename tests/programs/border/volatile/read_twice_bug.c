// expect: false or unknown
// not shown by gcc: somebody else has to write the variable
// A volatile variable is read twice, and may have changed.
extern void reach_error(void);
volatile int status;

int main(void)
{
    if (status != status)
        reach_error();
    return 0;
}
