/* PID 1 of the emulated machine. Runs /test with the arguments in /emul/args and the environment in /emul/env,
 * copies its output to port 0xE9 (which Bochs prints), reports its exit status and switches the machine off. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/io.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_TEXT = 65536, MAX_STRINGS = 4096 };

struct strings {
    char text[MAX_TEXT];
    char *list[MAX_STRINGS + 1];
    int count;
};

static void print(const char *p, size_t n) {
    for (size_t i = 0; i < n; i++) outb((unsigned char)p[i], 0xE9);
}

/* Adds the NUL-terminated strings of a file to the list. */
static void read_strings(struct strings *s, const char *path) {
    int fd = open(path, O_RDONLY);
    ssize_t size = fd < 0 ? 0 : read(fd, s->text, MAX_TEXT - 1);
    for (char *p = s->text; p < s->text + size && s->count < MAX_STRINGS; p += strlen(p) + 1) s->list[s->count++] = p;
    if (fd >= 0) close(fd);
}

static void prepare_filesystem(void) {
    mkdir("/proc", 0755);
    mkdir("/sys", 0755);
    mkdir("/dev", 0755);
    mkdir("/tmp", 01777);
    mount("proc", "/proc", "proc", 0, 0);
    mount("sysfs", "/sys", "sysfs", 0, 0);
    mount("devtmpfs", "/dev", "devtmpfs", 0, 0);
}

static void run_test(int output) {
    static struct strings args = {.list = {"/test"}, .count = 1}, env;
    read_strings(&args, "/emul/args");
    read_strings(&env, "/emul/env");
    dup2(open("/dev/null", O_RDONLY), 0);
    dup2(output, 1);
    dup2(output, 2);
    iopl(0);
    execve("/test", args.list, env.list);
    perror("execve /test");
    _exit(127);
}

int main(void) {
    prepare_filesystem();
    iopl(3);
    print("EMUL-BOOT\n", 10);
    int ends[2];
    if (pipe(ends)) return 1;
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        run_test(ends[1]);
    }
    close(ends[1]);
    char buffer[4096];
    ssize_t size;
    while ((size = read(ends[0], buffer, sizeof buffer)) > 0) print(buffer, (size_t)size);
    int status = 0;
    waitpid(child, &status, 0);
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    print(buffer, (size_t)snprintf(buffer, sizeof buffer, "\nEMUL-EXIT %d\n", code));
    for (const char *s = "Shutdown"; *s; s++) outb((unsigned char)*s, 0x8900);
    for (;;) pause();
}
