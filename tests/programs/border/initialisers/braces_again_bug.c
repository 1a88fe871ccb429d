// expect: false
// Braces speak of the whole array again: nothing is left of what was said of it before.
extern void reach_error(void);
struct pair { int a[4]; int b; };

int main(void)
{
    struct pair p = {.a[1] = 5, .b = 1, .a = {[3] = 9}};
    if (p.a[1] == 0 && p.a[3] == 9)
        reach_error();
    return 0;
}
