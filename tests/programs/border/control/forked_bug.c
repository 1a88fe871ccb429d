// expect: false or unknown
// fork returns zero in the child, which goes on.
#include <sys/wait.h>
#include <unistd.h>
extern void reach_error(void);

int main(void)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        reach_error();
    if (child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 86)
        reach_error();
    return 0;
}
