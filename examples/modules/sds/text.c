/* A text that grows by bytes within its room and is emptied again, with sds. A length beyond what was allocated is an
   error, as is another kind of header than the one for small texts. */
#include "sds.c"

extern void reach_error(void);

static sds text;

void start(void)
{
    text = sdsnewlen(NULL, 0);
    if (text == NULL)
        exit(1);
    text = sdsMakeRoomFor(text, 4);
    if (text == NULL)
        exit(1);
}

static void kept(void)
{
    if ((text[-1] & SDS_TYPE_MASK) != SDS_TYPE_8)
        reach_error();
    if (SDS_HDR(8, text)->len > SDS_HDR(8, text)->alloc)
        reach_error();
}

void clear(void)
{
    sdsclear(text);
    kept();
}

void add(char c)
{
    if (sdsavail(text) > 0) {
        text[sdslen(text)] = c;
        sdsIncrLen(text, 1);
    }
    kept();
}

void shorten(void)
{
    if (sdslen(text) > 0)
        sdsIncrLen(text, -1);
    kept();
}
