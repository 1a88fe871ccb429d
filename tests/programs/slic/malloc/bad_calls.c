// expect: false
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>
#include <string.h>

struct buffer { char *data; int size; };
static void release(struct buffer *b)
{
    free(b->data); // bad
    b->size = 0;
}
static int grow(struct buffer *b, int size)
{
    if (size > 1 << 20) {
        release(b);
        return -1;
    }
    b->size = size;
    return 0;
}
int main(void)
{
    struct buffer b = { malloc(16), 16 };
    grow(&b, __VERIFIER_nondet_int());
    release(&b);
    return 0;
}
