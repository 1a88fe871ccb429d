// expect: true
// property: valid-deref
// The loop ends at the first element.

int main(void)
{
    int v[3] = {1, 2, 3}, *p = v + 2, sum = 0;
    while (p >= v && p != v)
        sum += *p--;
    return sum;
}
