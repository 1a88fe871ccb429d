// check: --entry average --property no-div-zero
unsigned average(const unsigned *values, unsigned count)
{
    unsigned i, sum = 0;
    for (i = 0; i < count; i++)
        sum += values[i];
    return sum / count;
}
