// expect: false or unknown
// not shown by gcc: somebody else has to write the member
// The member that is volatile may change.
extern void reach_error(void);
struct device {
    int id;
    volatile int ready;
};
static struct device d = {7, 0};

int main(void)
{
    if (d.ready && d.id == 7)
        reach_error();
    return 0;
}
