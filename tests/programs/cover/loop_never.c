int main(void)
{
    int n = 0;
    while (n > 0)
        n--;
    return n;
}
