// expect: false or unknown
// property: valid-deref
// options: --entry second
// native: extern int second(char *p); int main(void) { char c = 1; return second(&c) == 77; }
// A byte is not a structure because somebody takes it for one.
struct point {
    int x, y;
};

int second(char *p)
{
    struct point *at = (struct point *)p;
    return at->y;
}
