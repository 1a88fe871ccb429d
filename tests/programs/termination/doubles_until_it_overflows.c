// expect: unknown
int main(void)
{
    int x = 1;
    while (x >= 0)
        x = 2 * x;
    return 0;
}
