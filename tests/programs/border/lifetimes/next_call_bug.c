// expect: false
// property: valid-deref
// Each call has a variable of its own.
static int *kept;

static void call(int number)
{
    int a = 0;
    if (number == 0)
        kept = &a;
    else
        *kept = 1;
}

int main(void)
{
    for (int i = 0; i < 2; i++)
        call(i);
    return 0;
}
