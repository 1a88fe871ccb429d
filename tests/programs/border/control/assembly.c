// expect: true or unknown
// Assembly writes its output, and no other variable.
extern void reach_error(void);

int main(void)
{
    int x = 1, y = 1;
    __asm__("movl $5, %0" : "=r"(x));
    if (y != 1)
        reach_error();
    return 0;
}
