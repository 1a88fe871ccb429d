// expect: false
extern int __VERIFIER_nondet_int(void);
#include <sys/socket.h>
#include <netinet/in.h>
#include <unistd.h>

static void stop(int *server, int *other)
{
    close(*server);
    *server = -1;
    if (*other > 0)
        close(*other); // bad
}
int main(void)
{
    int server = socket(AF_INET, SOCK_STREAM, 0), spare = -1;
    int *other = &spare;
    if (server <= 0)
        return 1;
    if (__VERIFIER_nondet_int() == 21)
        *other = server;
    stop(&server, other);
    return 0;
}
