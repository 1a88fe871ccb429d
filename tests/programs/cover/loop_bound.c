int main(void)
{
    int i, s = 0;
    for (i = 0; i < 5; i++)
        s += i;
    if (s != 10)
        return 1;
    return 0;
}
