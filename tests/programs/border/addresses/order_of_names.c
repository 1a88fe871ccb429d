// expect: false or unknown
// Nobody knows which of two variables comes first.
extern void reach_error(void);
int x, y;

int main(void)
{
    int a, b;
    if (&x < &y)
        reach_error();
    if (&a < &b)
        reach_error();
    return 0;
}
