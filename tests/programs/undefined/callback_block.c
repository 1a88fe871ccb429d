// expect: pure true, havoc unknown
// The function lies in a block of the heap.
#include <stdlib.h>
extern void reach_error(void);

struct device {
    void (*done)(void);
    struct device *next;
};

extern void attach(struct device *);

static int finished;

static void finish(void)
{
    finished = 1;
}

int main(void)
{
    struct device *device = malloc(sizeof *device);
    if (!device)
        return 1;
    device->done = finish;
    device->next = 0;
    attach(device);
    if (finished)
        reach_error();
    free(device);
    return 0;
}
