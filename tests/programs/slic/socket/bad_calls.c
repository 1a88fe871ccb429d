// expect: false
extern int __VERIFIER_nondet_int(void);
#include <sys/socket.h>
#include <netinet/in.h>
#include <unistd.h>

static int prepare(int server, int port)
{
    struct sockaddr_in address = { 0 };
    if (port == 0)
        return 0;
    return bind(server, (struct sockaddr *)&address, sizeof address);
}
int main(void)
{
    int server = socket(AF_INET, SOCK_STREAM, 0);
    if (server <= 0)
        return 1;
    if (prepare(server, __VERIFIER_nondet_int()) == 0)
        listen(server, 5); // bad
    close(server);
    return 0;
}
