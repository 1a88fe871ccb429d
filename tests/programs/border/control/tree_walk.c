// expect: true or unknown
// options: -D _GNU_SOURCE
// gcc: -D_GNU_SOURCE
// twalk visits what tsearch put into the tree, and nothing else.
#include <search.h>
extern void reach_error(void);
static int sum;

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}
static void visit(const void *node, VISIT which, int depth)
{
    (void)depth;
    if (which == postorder || which == leaf)
        sum += **(int *const *)node;
}
int main(void)
{
    static int two = 2, five = 5;
    void *root = 0;
    if (!tsearch(&two, &root, compare) || !tsearch(&five, &root, compare))
        return 0;
    twalk(root, visit);
    if (sum != 7)
        reach_error();
    return 0;
}
