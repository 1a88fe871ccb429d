// expect: true
// A pointer comes back from an integer.

int main(void)
{
    int a[2] = { 1, 2 };
    unsigned long u = (unsigned long)&a[0];
    int *p = (int *)(u + 4);
    return *p;
}
