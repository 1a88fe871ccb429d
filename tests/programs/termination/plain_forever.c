// expect: false
int main(void)
{
    for (;;)
        ;
}
