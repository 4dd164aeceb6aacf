# --gpu ssh:HOST through a real sshd on the loopback, with keys of its own in a temporary folder; the worker is the fake one.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
sshd=$(PATH=$PATH:/usr/sbin:/sbin command -v sshd) && ssh=$(command -v ssh) && command -v ssh-keygen > /dev/null ||
	skip_all "there is no sshd"
LC_ALL=C.UTF-8; TERM=xterm; export LC_ALL TERM

dir=$work daemon='' made=''
clean_up() {
	[ -z "$daemon" ] || kill "$daemon"
	[ -z "$made" ] || rmdir /run/sshd
	rm -rf "$work"
}
# sshd wants it when root runs it; the package's service makes it at each start.
if [ "$(id -u)" = 0 ] && [ ! -d /run/sshd ]; then mkdir /run/sshd && made=1; fi

mkdir "$dir/far" "$dir/near"
# All there is on the far side: the worker, which does as $dir/behavior says.
cat > "$dir/far/simttutor-gpu" << END
#!/bin/sh
cat '$dir/banner' 2> /dev/null
echo \$\$ > '$dir/worker'
exec '$fake' \$(cat '$dir/behavior')
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
start_sshd || skip_all "sshd does not start here: $(tail -n 1 "$dir/log")"
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

echo ok > "$dir/behavior"
capture_all "$simttutor" doctor --gpu ssh:gpuhost
if [ $? != 0 ] && grep -q 'not allowed because account is locked' "$dir/log"; then
	skip_all "this account cannot log in"
fi
has 'Fake GPU' && has '^Live measuring works.$'
report $? "a worker over ssh answers"

printf 'Welcome to gpuhost\n\nno newline: ' > "$dir/banner"
capture_all "$simttutor" doctor --gpu ssh:gpuhost; [ $? = 0 ] && has 'Fake GPU'
report $? "what the far side's shell prints first is passed over"
rm "$dir/banner"

rm "$dir/worker"
echo silent > "$dir/behavior"
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
status=$?
[ $status = 1 ] && has 'the worker ended with exit status 255'
report $? "a connection that breaks in a measurement is reported"

echo ok > "$dir/behavior"
capture_all "$simttutor" run "$dir/nothing.ptx" --kernel nothing --grid 1 --block 32 --live --gpu ssh:gpuhost
report $? "and the next one is measured"

mv "$dir/far/simttutor-gpu" "$dir/far/other"
capture_all "$simttutor" doctor --gpu ssh:gpuhost; [ $? = 3 ] && has '^not_installed: .*127.*simttutor-gpu'
report $? "a far side without the worker is reported"
capture_all "$simttutor" doctor --gpu ssh:deadhost; [ $? = 3 ] && has '^worker_died: .*255.*Connection refused'
report $? "a host that does not answer is reported, in ssh's words"
finish
