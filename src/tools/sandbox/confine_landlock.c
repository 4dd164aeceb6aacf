#include "config.h"
#include "tools/sandbox/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The numbers of the kernel's interface, which is newer than most headers: <linux/landlock.h>, system calls alike on
 * all architectures. */
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };
enum { RULESET_VERSION = 1, RULE_PATH_BENEATH = 1 };

#define FS_EXECUTE (1ull << 0)
#define FS_WRITE_FILE (1ull << 1)
#define FS_READ_FILE (1ull << 2)
#define FS_READ_DIR (1ull << 3)
#define FS_REMOVE_DIR (1ull << 4)
#define FS_REMOVE_FILE (1ull << 5)
#define FS_MAKE_CHAR (1ull << 6)
#define FS_MAKE_DIR (1ull << 7)
#define FS_MAKE_REG (1ull << 8)
#define FS_MAKE_SOCK (1ull << 9)
#define FS_MAKE_FIFO (1ull << 10)
#define FS_MAKE_BLOCK (1ull << 11)
#define FS_MAKE_SYM (1ull << 12)
#define FS_REFER (1ull << 13)
#define FS_TRUNCATE (1ull << 14)
#define FS_IOCTL_DEV (1ull << 15)
#define NET_BIND_TCP (1ull << 0)
#define NET_CONNECT_TCP (1ull << 1)
#define SCOPE_ABSTRACT_UNIX_SOCKET (1ull << 0)
#define SCOPE_SIGNAL (1ull << 1)

#define OF_FILES (FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE | FS_IOCTL_DEV)
#define READING (FS_READ_FILE | FS_READ_DIR)
#define WRITING                                                                                                        \
	(FS_WRITE_FILE | FS_REMOVE_DIR | FS_REMOVE_FILE | FS_MAKE_DIR | FS_MAKE_REG | FS_MAKE_FIFO | FS_MAKE_SYM |     \
		FS_REFER | FS_TRUNCATE)

struct ruleset_attr {
	uint64_t files, net, scopes;
};

struct path_beneath_attr {
	uint64_t allowed;
	int32_t parent;
} __attribute__((packed));

struct confine_rights confine_rights(int abi)
{
	struct confine_rights r = {0};
	if (abi >= 1)
		r.files = FS_MAKE_SYM | (FS_MAKE_SYM - 1);
	if (abi >= 2)
		r.files |= FS_REFER;
	if (abi >= 3)
		r.files |= FS_TRUNCATE;
	if (abi >= 4)
		r.net = NET_BIND_TCP | NET_CONNECT_TCP;
	if (abi >= 5)
		r.files |= FS_IOCTL_DEV;
	if (abi >= 6)
		r.scopes = SCOPE_ABSTRACT_UNIX_SOCKET | SCOPE_SIGNAL;
	return r;
}

int confine_landlock_abi(void)
{
	long abi = syscall(CREATE_RULESET, NULL, (size_t)0, RULESET_VERSION);
	return abi > 0 ? (int)abi : 0;
}

static bool add_open_rule(int ruleset, const struct confine_open_rule *rule, uint64_t known)
{
	struct stat info;
	struct path_beneath_attr beneath = {.parent = rule->fd};
	beneath.allowed = (rule->access & CONFINE_READ ? READING : 0) |
		(rule->access & CONFINE_EXECUTE ? FS_EXECUTE : 0) | (rule->access & CONFINE_WRITE ? WRITING : 0);
	if (fstat(rule->fd, &info) != 0)
		return false;
	if (S_ISCHR(info.st_mode))
		beneath.allowed |= FS_IOCTL_DEV;
	if (!S_ISDIR(info.st_mode))
		beneath.allowed &= OF_FILES;
	beneath.allowed &= known;
	/* EBADFD: a pipe or a socket, by way of /proc, which Landlock does not rule */
	return !beneath.allowed || syscall(ADD_RULE, ruleset, RULE_PATH_BENEATH, &beneath, 0u) == 0 || errno == EBADFD;
}

bool confine_landlock(const struct confine_profile *profile, int abi)
{
	struct confine_rights r = confine_rights(abi);
	struct ruleset_attr attr = {r.files, r.net, r.scopes};
	/* an older kernel takes no larger structure than it knows, unless the rest is zero */
	int fd = (int)syscall(CREATE_RULESET, &attr, sizeof attr, 0u);
	bool ok = fd >= 0;
	for (size_t i = 0; ok && i < profile->n; i++) {
		/* What is not there, or not for us to look at, needs no rule. */
		const struct confine_rule *rule = &profile->rules[i];
		int at = open(rule->path, O_PATH | O_CLOEXEC);
		if (at >= 0) {
			ok = add_open_rule(fd, &(struct confine_open_rule){at, rule->access}, r.files);
			close(at);
		}
	}
	for (size_t i = 0; ok && i < profile->n_open; i++)
		ok = add_open_rule(fd, &profile->open_rules[i], r.files);
	ok = ok && syscall(RESTRICT_SELF, fd, 0u) == 0;
	int error = errno;
	if (fd >= 0)
		close(fd);
	errno = error;
	return ok;
}
