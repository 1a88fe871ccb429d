// expect: true
// One past the end is a pointer, but nothing to access.

int main(void)
{
    int a[3] = { 1, 2, 3 }, *end = a + 3;
    return end[-1] + (end - a);
}
