int main(void)
{
    int a = 1;
    a = a + 2;
    return a;
}
