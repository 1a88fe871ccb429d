// expect: true
// bsearch gives the key first and the element second.
#include <stdlib.h>
extern void reach_error(void);
struct entry {
    int id, value;
};

static int compare(const void *a, const void *b)
{
    int key = *(const int *)a;
    return key - ((const struct entry *)b)->id;
}
static struct entry table[2] = {{1, 10}, {2, 20}};

int main(void)
{
    struct {
        int key, other;
    } wanted = {2, 2};
    struct entry *e = bsearch(&wanted, table, 2, sizeof table[0], compare);
    if (!e || e->value != 20)
        reach_error();
    return 0;
}
