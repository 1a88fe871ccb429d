// expect: false or unknown
// Assembly writes its output.
extern void reach_error(void);

int main(void)
{
    int x = 1, y = 1;
    __asm__("movl $5, %0" : "=r"(x));
    if (x == 5 && y == 1)
        reach_error();
    return 0;
}
