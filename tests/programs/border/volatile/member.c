// expect: true
// The member that is not volatile keeps its value.
extern void reach_error(void);
struct device {
    int id;
    volatile int ready;
};
static struct device d = {7, 0};

int main(void)
{
    if (d.ready && d.id != 7)
        reach_error();
    return 0;
}
