// check: --property valid-deref
static int *smallest(int a, int b)
{
    int least = a < b ? a : b;
    int *result = &least;
    return result;
}
int main(void)
{
    int *found = smallest(3, 4);
    return *found;
}
