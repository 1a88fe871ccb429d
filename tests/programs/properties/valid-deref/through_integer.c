// expect: true
// A pointer comes back from an integer.

int main(void)
{
    int a[2] = { 1, 2 };
    int *p = (int *)((unsigned long)a + 4);
    return *p;
}
