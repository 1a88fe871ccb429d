// expect: true
// A volatile variable is read once, and its copy compared.
extern void reach_error(void);
volatile int status;

int main(void)
{
    int seen = status;
    if (seen != seen)
        reach_error();
    return 0;
}
