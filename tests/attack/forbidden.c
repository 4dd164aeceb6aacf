/* Tries what a confined process must not do, and prints a line for each: "open-secret EACCES", or "open-secret done".
 *
 * 	forbidden --list-gpu-arch | forbidden ... -o FILE ...   as a compiler, which simttutor confines; then it makes PTX
 * 	forbidden ABI LIBERTIES                                 confines itself first, as the program does, with no more of Landlock
 * 	                                                        than that ABI has; ABI 0: seccomp alone, -1: Landlock alone
 *
 * $OUTSIDE is a folder with the files secret, victim and true, a program; $VICTIM a process to be left alone; $INSIDE a
 * folder that may be read (file "readable"), $OWN one that may be written. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/sandbox/confine.h"

static char path[4096];

static const char *outside(const char *name)
{
	snprintf(path, sizeof path, "%s/%s", getenv("OUTSIDE"), name);
	return path;
}

static pid_t victim(void)
{
	return (pid_t)strtol(getenv("VICTIM"), NULL, 10);
}

static long opened(const char *name, int flags)
{
	int fd = open(outside(name), flags | O_CLOEXEC, 0600);
	if (fd >= 0)
		close(fd);
	return fd;
}

static long open_secret(void)
{
	return opened("secret", O_RDONLY);
}
static long open_passwd(void)
{
	return open("/etc/passwd", O_RDONLY | O_CLOEXEC);
}
static long open_shadow(void)
{
	return open("/etc/shadow", O_RDONLY | O_CLOEXEC);
}
static long list_outside(void)
{
	return opened(".", O_RDONLY | O_DIRECTORY);
}
static long write_victim(void)
{
	return opened("victim", O_WRONLY);
}
static long make_file(void)
{
	return opened("new", O_WRONLY | O_CREAT);
}
static long truncate_by_opening(void)
{
	return opened("victim", O_RDONLY | O_TRUNC);
}
static long truncate_path(void)
{
	return truncate(outside("victim"), 0);
}
static long make_folder(void)
{
	return mkdir(outside("folder"), 0700);
}
static long make_link(void)
{
	return symlink("/", outside("link"));
}
static long make_fifo(void)
{
	return mkfifo(outside("fifo"), 0600);
}
static long remove_file(void)
{
	return unlink(outside("victim"));
}
static long change_mode(void)
{
	return chmod(outside("victim"), 0666);
}
static long change_owner(void)
{
	return chown(outside("victim"), getuid(), getgid());
}
static long change_times(void)
{
	return utimensat(AT_FDCWD, outside("victim"), NULL, 0);
}
static long rename_away(void)
{
	char from[sizeof path];
	strcpy(from, outside("victim"));
	return rename(from, outside("renamed"));
}

static long execute_outside(void)
{
	char *argv[] = {(char *)"true", NULL};
	return execv(outside("true"), argv);
}

static long make_socket(void)
{
	return socket(AF_INET, SOCK_STREAM, 0);
}
static long make_unix_socket(void)
{
	return socket(AF_UNIX, SOCK_STREAM, 0);
}
static long make_raw_socket(void)
{
	return socket(AF_NETLINK, SOCK_RAW, 0);
}
static long make_socket_pair(void)
{
	int fd[2];
	return socketpair(AF_UNIX, SOCK_STREAM, 0, fd);
}

static long signal_victim(void)
{
	return kill(victim(), SIGCONT);
}
static long signal_victim_thread(void)
{
	return syscall(SYS_tgkill, victim(), victim(), SIGCONT);
}
static long trace_victim(void)
{
	return ptrace(PTRACE_SEIZE, victim(), NULL, NULL);
}
static long read_victim_memory(void)
{
	char byte;
	struct iovec here = {&byte, 1}, there = {path, 1};
	return process_vm_readv(victim(), &here, 1, &there, 1, 0);
}

static long read_victim_environment(void)
{
	snprintf(path, sizeof path, "/proc/%d/environ", victim());
	return open(path, O_RDONLY | O_CLOEXEC);
}

static long limit_victim(void)
{
	const struct rlimit none = {0, 0};
	return prlimit(victim(), RLIMIT_CORE, &none, NULL);
}

static long slow_victim(void)
{
	return setpriority(PRIO_PROCESS, (id_t)victim(), 19);
}
static long schedule_victim(void)
{
	const struct sched_param none = {0};
	return sched_setscheduler(victim(), SCHED_IDLE, &none);
}
static long bind_victim(void)
{
	cpu_set_t one;
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	return sched_setaffinity(victim(), sizeof one, &one);
}
static long delay_victim(void)
{
	return syscall(SYS_ioprio_set, 1, victim(), 3 << 13);
}

/* A descriptor sends the signal, when there is something to read. */
static long signal_by_pipe(int command, const void *owner)
{
	int fd[2];
	if (pipe2(fd, O_CLOEXEC) != 0)
		return 0;
	long result = fcntl(fd[0], command, owner);
	int why = errno;
	close(fd[0]);
	close(fd[1]);
	errno = why;
	return result;
}
static long own_by_pipe(void)
{
	return signal_by_pipe(F_SETOWN, (const void *)(intptr_t)victim());
}
static long own_thread_by_pipe(void)
{
	return signal_by_pipe(F_SETOWN_EX, &(struct f_owner_ex){F_OWNER_TID, victim()});
}

static long new_namespace(void)
{
	return unshare(CLONE_NEWUSER);
}
static long enter_namespace(void)
{
	return syscall(SYS_setns, 0, 0);
}
static long clone_namespace(void)
{
	return syscall(SYS_clone, (long)CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
}
static long clone_by_structure(void)
{
	return syscall(SYS_clone3, NULL, 0);
}
static long mount_something(void)
{
	return syscall(SYS_mount, "none", outside("."), "tmpfs", 0, NULL);
}
static long change_root(void)
{
	return chroot(outside("."));
}
static long load_bpf(void)
{
	return syscall(SYS_bpf, 0, NULL, 0);
}
static long open_perf(void)
{
	return syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0);
}
static long set_up_ring(void)
{
	return syscall(SYS_io_uring_setup, 1, NULL);
}
static long handle_faults(void)
{
	return syscall(SYS_userfaultfd, 0);
}
static long read_keys(void)
{
	return syscall(SYS_keyctl, 0, -3, 0);
}
static long add_key(void)
{
	return syscall(SYS_add_key, "user", "k", "v", 1, -3);
}
static long load_module(void)
{
	return syscall(SYS_init_module, NULL, 0, "");
}
static long load_kernel(void)
{
	return syscall(SYS_kexec_load, 0, 0, NULL, 0);
}
static long share_memory(void)
{
	return syscall(SYS_shmget, 0, 4096, 0600 | 01000);
}
static long make_nameless_file(void)
{
	return syscall(SYS_memfd_create, "x", 0);
}
static long type_on_terminal(void)
{
	return ioctl(0, TIOCSTI, "x");
}
static long command_console(void)
{
	return ioctl(0, TIOCLINUX, "\2");
}
static long call_the_unknown(void)
{
	return syscall(463);
}

/* What the program itself has no need of either, other than a compiler. */
static long execute_anything(void)
{
	char *argv[] = {(char *)"true", NULL};
	return execv("/bin/true", argv);
}

static long fork_a_process(void)
{
	pid_t pid = (pid_t)syscall(SYS_clone, (long)SIGCHLD, 0, 0, 0, 0);
	if (pid == 0)
		_exit(0);
	return pid;
}

/* What must work. */
static long read_inside(void)
{
	snprintf(path, sizeof path, "%s/readable", getenv("INSIDE"));
	return open(path, O_RDONLY | O_CLOEXEC);
}

static long write_own(void)
{
	snprintf(path, sizeof path, "%s/written", getenv("OWN") ? getenv("OWN") : ".");
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	return fd >= 0 && write(fd, "x", 1) == 1 && ftruncate(fd, 0) == 0 ? unlink(path) : -1;
}

static long signal_self(void)
{
	return kill(getpid(), 0);
}

/* The leak checker of sanitizers is a process, so that theirs may fork. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define FORKED ALWAYS
#define SANITIZED true
#else
#define FORKED BY_TOOLS
#define SANITIZED false
#endif

enum { NEVER, BY_TOOLS, ALWAYS };
static const struct {
	const char *name;
	long (*call)(void);
	int allowed;
} calls[] = {
#define CALL(name)                                                                                                     \
	{                                                                                                              \
#name, name, NEVER                                                                                     \
	}
	CALL(open_secret), CALL(open_passwd), CALL(open_shadow), CALL(list_outside), CALL(write_victim),
	CALL(make_file), CALL(truncate_by_opening), CALL(truncate_path), CALL(make_folder), CALL(make_link),
	CALL(make_fifo), CALL(remove_file), CALL(change_mode), CALL(change_owner), CALL(change_times),
	CALL(rename_away), CALL(execute_outside), CALL(make_socket), CALL(make_unix_socket), CALL(make_raw_socket),
	CALL(make_socket_pair), CALL(signal_victim), CALL(signal_victim_thread), CALL(trace_victim),
	CALL(read_victim_memory), CALL(read_victim_environment), CALL(limit_victim), CALL(slow_victim),
	CALL(schedule_victim), CALL(bind_victim), CALL(delay_victim), CALL(own_by_pipe), CALL(own_thread_by_pipe),
	CALL(new_namespace), CALL(enter_namespace), CALL(clone_namespace), CALL(clone_by_structure),
	CALL(mount_something), CALL(change_root), CALL(load_bpf), CALL(open_perf), CALL(set_up_ring),
	CALL(handle_faults), CALL(read_keys), CALL(add_key), CALL(load_module), CALL(load_kernel), CALL(share_memory),
	CALL(make_nameless_file), CALL(type_on_terminal), CALL(command_console), CALL(call_the_unknown),
#undef CALL
	{"fork_a_process", fork_a_process, FORKED}, {"read_inside", read_inside, ALWAYS},
	{"write_own", write_own, ALWAYS}, {"signal_self", signal_self, ALWAYS},
	{"execute_anything", execute_anything, BY_TOOLS}, /* the last: it does not come back */
};

/* Each line says what came of it, and what should have. */
static void try_all(int liberal)
{
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
		bool allowed = calls[i].allowed == ALWAYS || (calls[i].allowed == BY_TOOLS && liberal);
		if (calls[i].call == execute_anything && allowed)
			break;
		errno = 0;
		long result = calls[i].call();
		const char *what = result >= 0 ? "done" : strerrorname_np(errno);
		bool refused = result < 0 && (errno == EPERM || errno == EACCES || errno == ENOSYS);
		printf("%s %s: %s\n", (allowed ? result >= 0 : refused) ? "right" : "WRONG", calls[i].name, what);
	}
	fflush(stdout);
}

static int make_ptx(const char *to)
{
	FILE *file = fopen(to, "w");
	return !file ||
		fputs(".version 6.3\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n\tret;\n}\n",
			file) < 0 ||
		fclose(file) != 0;
}

static int confine_and_try(int abi, unsigned liberties)
{
	struct arena *arena = arena_new();
	struct confine_profile profile = {.liberties = liberties};
	struct confine_support support = confine_support();
	confine_allow(arena, &profile, getenv("INSIDE"), CONFINE_READ);
	confine_allow(arena, &profile, getenv("OWN"), CONFINE_READ | CONFINE_WRITE);
	support.seccomp = support.seccomp && abi >= 0;
	support.abi = abi < 0 || abi > support.abi ? support.abi : abi;
	bool ok = confine_self(&profile, &support);
	if (!ok)
		printf("WRONG confine_self: %s\n", strerror(errno));
	arena_free(arena);
	try_all(0);
	return !ok;
}

static int act(int argc, char **argv)
{
	const char *output = NULL;
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--list-gpu-arch") == 0)
			return puts("compute_75") < 0;
		if (strcmp(argv[i], "--is-sanitized") == 0)
			return !SANITIZED;
		if (strcmp(argv[i], "-o") == 0)
			output = argv[i + 1];
	}
	if (!output)
		return argc == 3 ? confine_and_try(atoi(argv[1]), (unsigned)atoi(argv[2])) : 2;
	if (prctl(PR_GET_SECCOMP) != SECCOMP_MODE_FILTER) {
		puts("WRONG not confined: nothing is tried");
		return 1;
	}
	try_all(1);
	return make_ptx(output);
}

/* A leak checker would need what is forbidden. */
int main(int argc, char **argv)
{
	int status = act(argc, argv);
	fflush(stdout);
	_exit(status);
}
