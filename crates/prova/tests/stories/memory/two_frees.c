// check: --property valid-free
#include <stdlib.h>
struct pair {
    int *first, *second;
};
static void drop(struct pair *pair)
{
    free(pair->first);
    if (pair->second != pair->first + 1)
        free(pair->second);
}
int main(void)
{
    struct pair pair;
    pair.first = malloc(2 * sizeof(int));
    if (!pair.first)
        return 1;
    pair.second = pair.first;
    drop(&pair);
    return 0;
}
