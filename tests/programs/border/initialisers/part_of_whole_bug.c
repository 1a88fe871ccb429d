// expect: false
// A member that is initialised again drops the structure that it was part of.
extern void reach_error(void);
struct point { int x, y; };
struct line { struct point from, to; };

int main(void)
{
    struct point start = {7, 8};
    struct line l = {.from = start, .from.x = 3};
    if (l.from.y == 0)
        reach_error();
    return 0;
}
