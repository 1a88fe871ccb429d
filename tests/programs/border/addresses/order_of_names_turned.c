// expect: false or unknown
extern void reach_error(void);
int x, y;

int main(void)
{
    if (&x > &y)
        reach_error();
    return 0;
}
