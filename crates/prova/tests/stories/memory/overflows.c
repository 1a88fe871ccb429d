// check: --entry middle --property no-overflow
int middle(const int *values, int low, int high)
{
    if (low < 0 || high < low)
        return 0;
    return values[(low + high) / 2];
}
