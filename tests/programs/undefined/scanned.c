// expect: pure true, havoc false
// Arguments behind the dots lead somewhere, too.
extern void reach_error(void);
extern int scan_values(const char *format, ...);

int main(void)
{
    int x = 0, y = 0;
    if (scan_values("%d %d", &x, &y) == 2 && x == 3 && y == 4)
        reach_error();
    return 0;
}
