/* Probes: what is asked of a text. */
static int is_small(const sds s)
{
    return (s[-1] & SDS_TYPE_MASK) == SDS_TYPE_8;
}

static int room(const sds s)
{
    return SDS_HDR(8, s)->alloc;
}

static int fits(const sds s)
{
    return SDS_HDR(8, s)->len <= room(s);
}
