// expect: true
extern int __VERIFIER_nondet_int(void);
#include <sys/socket.h>
#include <netinet/in.h>
#include <unistd.h>

static int open_server(void)
{
    struct sockaddr_in address = { 0 };
    int server = socket(AF_INET, SOCK_STREAM, 0);
    if (server <= 0)
        return -1;
    if (bind(server, (struct sockaddr *)&address, sizeof address) != 0) {
        close(server);
        return -1;
    }
    return server;
}
int main(void)
{
    int server = open_server();
    if (server < 0)
        return 1;
    if (listen(server, 1) == 0)
        accept(server, 0, 0);
    close(server);
    return 0;
}
