int main(void)
{
    int i, j, n = 0;
    for (i = 0; i < 3; i++)
        for (j = 0; j < i; j++)
            if (i == 2 && j == 1)
                n++;
            else if (i == 0)
                n = 100;
    if (n == 1)
        return 1;
    return 0;
}
