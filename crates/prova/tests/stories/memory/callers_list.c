// check: --entry last --property valid-deref
struct item {
    struct item *next;
    unsigned char weight;
};
int last(const struct item *list)
{
    while (list->next->weight < 200)
        list = list->next;
    return list->weight;
}
