// expect: false
// A letter that is said again leaves the others of the text.
extern void reach_error(void);
struct named { char name[6]; int value; };
static struct named other = {.name[1] = 'u', .name = "h"};

int main(void)
{
    struct named n = {.name = "hello", .name[1] = 'u'};
    if (n.name[1] == 'u' && n.name[4] == 'o' && !other.name[1])
        reach_error();
    return 0;
}
