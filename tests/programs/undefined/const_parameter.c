// expect: pure true, havoc true
// Nothing is written through a pointer to const.
extern void reach_error(void);
extern int look(const int *at, const char *text);

int main(void)
{
    int x = 1;
    char t[4] = "abc";
    int y = look(&x, t);
    if (x != 1 || t[1] != 'b' || (y == 2 && y == 3))
        reach_error();
    return 0;
}
