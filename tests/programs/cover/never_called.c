int unused(int x)
{
    return x + 1;
}
int main(void)
{
    return 0;
}
