// expect: pure true, havoc false
// Only the function follows the pointer that the object holds at first.
extern void reach_error(void);

struct box {
    int *inside;
};

extern void open_box(struct box *);

static int value;
static struct box box = { &value };

int main(void)
{
    open_box(&box);
    if (value)
        reach_error();
    return 0;
}
