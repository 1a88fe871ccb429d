// expect: false
// bsearch gives the key first, not the element.
#include <stdlib.h>
extern void reach_error(void);
struct entry {
    int id, value;
};

static int compare(const void *a, const void *b)
{
    int key = *(const int *)b;
    return ((const struct entry *)a)->id - key;
}
static struct entry table[2] = {{1, 10}, {2, 20}};

int main(void)
{
    struct {
        int key, other;
    } wanted = {2, 2};
    struct entry *e = bsearch(&wanted, table, 2, sizeof table[0], compare);
    if (e && e->value == 20)
        reach_error();
    return 0;
}
