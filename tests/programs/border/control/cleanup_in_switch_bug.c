// expect: false
// inputs: 1
// Leaving a case cleans up, before what stands behind the switch.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int cleaned;

static void clean(int *at)
{
    cleaned += *at;
}
int main(void)
{
    switch (__VERIFIER_nondet_int()) {
    case 1: {
        __attribute__((cleanup(clean))) int x = 1;
        break;
    }
    case 2:
        cleaned = 1;
        break;
    default:
        return 0;
    }
    if (cleaned == 1)
        reach_error();
    return 0;
}
