// expect: true or unknown
// Structures are compared member by member.
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
    if (a.c != b.c || a.n != b.n)
        reach_error();
    return 0;
}
