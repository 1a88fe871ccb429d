// check: --property valid-deref
#include <stdlib.h>
struct buffer {
    unsigned char *bytes;
    size_t size;
};
static void reset(struct buffer *buffer)
{
    free(buffer->bytes);
    buffer->size = 0;
}
int main(void)
{
    struct buffer buffer = {malloc(32), 32};
    if (!buffer.bytes)
        return 1;
    reset(&buffer);
    buffer.bytes[0] = 1;
    return 0;
}
