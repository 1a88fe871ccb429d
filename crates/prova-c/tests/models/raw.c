/* `read` and `write`: the machine is given how many bytes there were, and the bytes. */
#include "bench.h"
#include <unistd.h>

static void give(unsigned n)
{
    say("@");
    hex(n);
    end();
}

int main(void)
{
    char to[40];
    for (int i = 0; i < 260; i++) {
        size_t n = below(30);
        ssize_t r = read(0, to, n);
        give(r < 0 ? 0 : (unsigned)r);
        for (int k = 0; k < r; k++)
            give((unsigned char)to[k]);
        static int ended;
        if (r == 0 && n > 0 && !ended) {
            give(0xffffffff);
            ended = 1;
        }
        line("read"); integer(n); integer(r); bytes(to, r); end();
        give(0);
        r = write(1, "some text that is written here\n", n);
        line("write"); integer(n); integer(r); end();
    }
    return finish();
}
