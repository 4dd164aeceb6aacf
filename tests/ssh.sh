# --gpu ssh:HOST through a real sshd on the loopback, with keys of its own in a temporary folder; the worker is the fake one.
simttutor=$top_builddir/simttutor
sshd=$(PATH=$PATH:/usr/sbin:/sbin command -v sshd) && ssh=$(command -v ssh) && command -v ssh-keygen > /dev/null || {
	echo "1..0 # SKIP there is no sshd"
	exit 0
}
n=0
check() { # NAME STATUS: the last command's status and $out are what they should be
	n=$((n + 1))
	if [ "$2" = 0 ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		printf '%s\n' "$out" | sed 's/^/# /'
	fi
}
has() { printf '%s\n' "$out" | grep -q -e "$1"; }
LC_ALL=C.UTF-8; TERM=xterm; export LC_ALL TERM

dir=$(mktemp -d) || exit 99
daemon='' made=''
clean() {
	[ -z "$daemon" ] || kill "$daemon"
	[ -z "$made" ] || rmdir /run/sshd
	rm -rf "$dir"
}
trap clean EXIT
trap 'exit 1' HUP INT TERM
# sshd wants it when root runs it; the package's service makes it at each start.
if [ "$(id -u)" = 0 ] && [ ! -d /run/sshd ]; then mkdir /run/sshd && made=1; fi

mkdir "$dir/far" "$dir/near"
# All there is on the far side: the worker, which does as $dir/behaviour says.
cat > "$dir/far/simttutor-gpu" << END
#!/bin/sh
cat '$dir/banner' 2> /dev/null
echo \$\$ > '$dir/worker'
exec '$(cd "$top_builddir" && pwd)/tests/fake-worker' \$(cat '$dir/behaviour')
END
# The reader's ssh, with a configuration of its own.
cat > "$dir/near/ssh" << END
#!/bin/sh
exec '$ssh' -F '$dir/ssh_config' "\$@"
END
chmod +x "$dir/far/simttutor-gpu" "$dir/near/ssh"
ssh-keygen -q -t ed25519 -N '' -f "$dir/host" && ssh-keygen -q -t ed25519 -N '' -f "$dir/user" || exit 99
cp "$dir/user.pub" "$dir/authorized"

start_sshd() { # tries ports until one is free
	port=$((20000 + $$ % 20000))
	for try in 1 2 3 4 5; do
		port=$((port + 7))
		cat > "$dir/sshd_config" << END
ListenAddress 127.0.0.1:$port
HostKey $dir/host
PidFile none
AuthorizedKeysFile $dir/authorized
StrictModes no
UsePAM no
PasswordAuthentication no
PermitRootLogin prohibit-password
SetEnv PATH=$dir/far:/usr/bin:/bin
END
		"$sshd" -D -e -f "$dir/sshd_config" 2> "$dir/log" &
		daemon=$!
		for wait in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
			grep -q 'listening on' "$dir/log" && return
			kill -0 $daemon 2> /dev/null || break
			sleep 0.1
		done
		daemon=
	done
	return 1
}
if ! start_sshd; then
	echo "1..0 # SKIP sshd does not start here: $(tail -n 1 "$dir/log")"
	exit 0
fi
cat > "$dir/ssh_config" << END
Host gpuhost
	HostName 127.0.0.1
	Port $port
	User $(id -un)
	IdentityFile $dir/user
	IdentitiesOnly yes
	UserKnownHostsFile $dir/known
	StrictHostKeyChecking accept-new
	RemoteCommand echo not for us
	LocalForward 1 127.0.0.1:1
Host deadhost
	HostName 127.0.0.1
	Port 1
END
PATH=$dir/near:$PATH
export PATH

echo ok > "$dir/behaviour"
out=$("$simttutor" doctor --gpu ssh:gpuhost 2>&1)
if [ $? != 0 ] && grep -q 'not allowed because account is locked' "$dir/log"; then
	echo "1..0 # SKIP this account cannot log in"
	exit 0
fi
has 'Fake GPU' && has '^Live measuring works.$'
check "a worker behind ssh answers" $?

printf 'Welcome to gpuhost\n\nno newline: ' > "$dir/banner"
out=$("$simttutor" doctor --gpu ssh:gpuhost 2>&1); [ $? = 0 ] && has 'Fake GPU'
check "what the far side's shell prints first is passed over" $?
rm "$dir/banner"

rm "$dir/worker"
echo silent > "$dir/behaviour"
printf '.version 6.3\n.target sm_50\n.address_size 64\n.visible .entry nothing()\n{\n\tret;\n}\n' > "$dir/nothing.ptx"
"$simttutor" run "$dir/nothing.ptx" --kernel nothing --grid 1 --block 32 --live --gpu ssh:gpuhost > "$dir/out" 2>&1 &
run=$!
for wait in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
	[ -s "$dir/worker" ] && break
	sleep 0.1
done
sleep 0.5
# The far end of the connection: what is between the worker and the sshd that listens.
pid=$(cat "$dir/worker") between=
while [ -n "$pid" ] && [ "$pid" != 1 ] && [ "$pid" != "$daemon" ]; do
	between="$pid $between"
	pid=$(ps -o ppid= -p "$pid" | tr -d ' ')
done
[ "$pid" = "$daemon" ] && kill -9 $between
wait $run
status=$? out=$(cat "$dir/out")
[ $status = 1 ] && has 'the worker ended with exit status 255'
check "a connection that breaks in a measurement is told" $?

echo ok > "$dir/behaviour"
out=$("$simttutor" run "$dir/nothing.ptx" --kernel nothing --grid 1 --block 32 --live --gpu ssh:gpuhost 2>&1)
check "and the next one is measured" $?

mv "$dir/far/simttutor-gpu" "$dir/far/other"
out=$("$simttutor" doctor --gpu ssh:gpuhost 2>&1); [ $? = 3 ] && has '^no_worker: .*127.*simttutor-gpu'
check "a far side without the worker is told" $?
out=$("$simttutor" doctor --gpu ssh:deadhost 2>&1); [ $? = 3 ] && has '^worker_died: .*255.*Connection refused'
check "a host that does not answer is told, in ssh's words" $?
echo "1..$n"
