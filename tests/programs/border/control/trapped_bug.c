// expect: false
// What stands before the trap is reached.
extern void reach_error(void);

int main(void)
{
    reach_error();
    __builtin_trap();
    return 0;
}
