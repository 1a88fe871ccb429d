// expect: true or unknown
// fork returns in the parent and in the child, and the child ends.
#include <sys/wait.h>
#include <unistd.h>
extern void reach_error(void);

int main(void)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    if (child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 86)
        reach_error();
    return 0;
}
