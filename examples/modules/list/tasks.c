/* FreeRTOS's list as a scheduler uses it: two items that are put at the end and taken out again, never
   twice. A count that is not that of the items in it is an error. */
#include "list.c"

extern void reach_error(void);

static List_t ready;
static ListItem_t one, two;

void start(void)
{
    vListInitialise(&ready);
    vListInitialiseItem(&one);
    vListInitialiseItem(&two);
}

static void counted(void)
{
    UBaseType_t inside = 0;
    if (one.pxContainer == &ready)
        inside++;
    if (two.pxContainer == &ready)
        inside++;
    if (ready.uxNumberOfItems != inside)
        reach_error();
}

void put_one(void)
{
    if (one.pxContainer == 0)
        vListInsertEnd(&ready, &one);
    counted();
}

void put_two(void)
{
    if (two.pxContainer == 0)
        vListInsertEnd(&ready, &two);
    counted();
}

void take_one(void)
{
    if (one.pxContainer == &ready)
        uxListRemove(&one);
    counted();
}

void take_two(void)
{
    if (two.pxContainer == &ready)
        uxListRemove(&two);
    counted();
}
