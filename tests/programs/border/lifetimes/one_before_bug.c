// expect: false
// property: valid-deref
// The loop reads the element in front of the first.

int main(void)
{
    int v[3] = {1, 2, 3}, *p = v + 2, sum = 0;
    while (*p != 9 && sum < 6)
        sum += *p--;
    sum += *p;
    return sum;
}
