// check: --entry area --property no-null-deref --pointers nullable
struct shape {
    unsigned short width, height;
};
unsigned area(const struct shape *shape)
{
    return shape->width * shape->height;
}
