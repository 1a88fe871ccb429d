// expect: pure true, havoc false
// Called through a pointer, a function without a body writes all the same.
extern void reach_error(void);
extern void get(int *to);
extern int ask(void);
static void none(int *to) { (void)to; }

int main(void)
{
    void (*f)(int *) = ask() ? get : none;
    int x = 1;
    f(&x);
    if (x == 2)
        reach_error();
    return 0;
}
