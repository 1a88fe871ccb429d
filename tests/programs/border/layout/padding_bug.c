// expect: false or unknown
// Structures are compared with the bytes between their members.
#include <string.h>
extern void reach_error(void);
struct mixed {
    char c;
    int n;
};

int main(void)
{
    struct mixed a, b;
    memset(&a, 0xff, sizeof a);
    memset(&b, 0, sizeof b);
    a.c = b.c = 1;
    a.n = b.n = 2;
    if (memcmp(&a, &b, sizeof a) != 0)
        reach_error();
    return 0;
}
