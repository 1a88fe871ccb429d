// expect: false or unknown
// tfind finds an equal key, and tells where it lies.
#include <search.h>
extern void reach_error(void);

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}
int main(void)
{
    static int kept = 4;
    int key = 4;
    void *root = 0, *at;
    if (!tsearch(&kept, &root, compare))
        return 0;
    at = tfind(&key, &root, compare);
    if (at && *(int **)at == &kept)
        reach_error();
    return 0;
}
