# --gpu 'command:srun ... simttutor-gpu' through a Slurm cluster of one node, started here with a configuration, ports, a key
# and a munge of its own in a temporary folder, and stopped again. The GPU that Slurm hands out is /dev/null; the worker is
# the fake one, and the real one for what it says without a GPU.
#
# Needs root and Debian's slurm-wlm and munge; SIMTTUTOR_TEST_SLURM=install installs them first.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
PATH=$PATH:/usr/sbin:/sbin
there() { for program in munged slurmctld slurmd srun squeue scancel scontrol sinfo; do command -v $program > /dev/null || return 1; done; }
[ "$(id -u)" = 0 ] || skip_all "a cluster of our own needs root"
if ! there && [ "${SIMTTUTOR_TEST_SLURM-}" = install ]; then
	apt-get install -y -qq --no-install-recommends slurm-wlm munge < /dev/null > /dev/null 2>&1
fi
there || skip_all "Slurm is not here; SIMTTUTOR_TEST_SLURM=install installs it"

. "$top_srcdir/tests/terminal/lib.sh" || exit 99
[ -x "$fake" ] || skip_all "tests/fake-worker is not built"

# --- the cluster -----------------------------------------------------------------------------------------------------
dir=$work/slurm
mkdir "$dir"
chmod 755 "$work" "$dir" # munge wants its socket to be reachable
daemons=
stop_cluster() {
	timeout 5 scancel -u root 2> /dev/null
	for pid in $daemons; do kill "$pid" 2> /dev/null; done
	for pid in $daemons; do until_gone "$pid"; done
}
until_gone() {
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
		kill -s 0 "$1" 2> /dev/null || return
		sleep 0.1
	done
	kill -s KILL "$1"
}
clean_up() {
	stop_cluster
	close_terminals
}

host=$(hostname -s)
configure() { # PORT
	mkdir -p "$dir/munge" "$dir/spool" "$dir/state"
	echo "Name=gpu File=/dev/null" > "$dir/gres.conf"
	cat > "$dir/slurm.conf" << END
ClusterName=simttutor
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$1
SlurmdPort=$(($1 + 1))
AuthType=auth/munge
AuthInfo=socket=$dir/munge/socket
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
ReturnToService=0
KillWait=2
GresTypes=gpu
SchedulerParameters=sched_interval=1
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) Gres=gpu:1 State=UNKNOWN
PartitionName=one Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
	SLURM_CONF=$dir/slurm.conf
	export SLURM_CONF
}
idle() { timeout 5 sinfo -h -o %T 2> /dev/null | grep -q idle; }
# Which control groups there are is the kernel's and the release's affair: the first way that works is taken.
start_node() {
	for plugin in disabled cgroup/v1 cgroup/v2; do
		printf 'CgroupPlugin=%s\nIgnoreSystemd=yes\n' $plugin > "$dir/cgroup.conf"
		slurmd -D -f "$dir/slurm.conf" -N "$host" > "$dir/slurmd.out" 2>&1 &
		pid=$!
		for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
			idle && daemons="$pid $daemons" && return
			kill -s 0 $pid 2> /dev/null || break
			sleep 0.5
		done
		kill $pid 2> /dev/null
	done
	return 1
}
start_cluster() {
	configure $((20000 + $$ % 20000))
	head -c 1024 /dev/urandom > "$dir/key" && chmod 400 "$dir/key"
	munged --foreground --force --num-threads=2 --key-file="$dir/key" --socket="$dir/munge/socket" \
		--pid-file="$dir/munge.pid" --log-file="$dir/munge.log" --seed-file="$dir/seed" > "$dir/munge.out" 2>&1 &
	daemons=$!
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do [ -S "$dir/munge/socket" ] && break; sleep 0.1; done
	slurmctld -D -f "$dir/slurm.conf" > "$dir/slurmctld.out" 2>&1 &
	daemons="$! $daemons"
	start_node
}
start_cluster || skip_all "a cluster does not start here: $(cat "$dir"/*.out | grep -i -e error -e fatal | head -n 1)"

# --- without a terminal ----------------------------------------------------------------------------------------------
show_failure() { if [ "$server" -eq 0 ]; then sed 's/^/# /' "$work/out"; else show_screen; fi; }
printf '.version 6.3\n.target sm_50\n.address_size 64\n.visible .entry nothing()\n{\n\tret;\n}\n' > "$dir/nothing.ptx"
# What the worker was asked is kept, so that a test can wait until it is at work.
printf '#!/bin/sh\ntee "%s" | "%s" "$@"\n' "$dir/asked" "$fake" > "$dir/watched"
chmod +x "$dir/watched"
asked() { grep -q '"type":"measure"' "$dir/asked" 2> /dev/null; }
measure() { # BEHAVIOR
	rm -f "$dir/asked"
	timeout 240 "$simttutor" run "$dir/nothing.ptx" --kernel nothing --grid 1 --block 32 \
		--gpu "command:srun --gres=gpu:1 '$dir/watched' $1" > "$work/out" 2>&1
}
no_job() { [ -z "$(timeout 5 squeue -h)" ]; }
running() { timeout 5 squeue -h -s | grep -q '\.0 '; } # a step, which comes after the job
# COMMAND...: again and again while the program runs; Slurm on a busy machine may miss it once
while_running() { while kill -0 $run 2> /dev/null; do "$@"; sleep 1; done; }
# srun on a busy machine may not hear for minutes that the node is down; then there is nothing that the program could report.
node_fails() {
	timeout 5 scontrol update nodename="$host" state=down reason=test
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		pgrep -f "srun --gres=gpu:1 $dir/watched" > /dev/null || return 0
		sleep 1
	done
	return 1
}
# The job that runs is in $id; squeue on a busy machine may miss it for a while.
find_job() { id=$(job R) && [ -n "$id" ]; }
job() { timeout 5 squeue -h -t "$1" -o %i | head -n 1; }

timeout 60 "$simttutor" doctor --gpu "command:srun --gres=gpu:1 '$fake'" > "$work/out" 2>&1
[ $? = 0 ] && has 'Fake GPU' && has '^Live measuring works'
report $? "a worker that srun starts answers"
until_ no_job
report $? "and its job ends with the program"
measure ok && has 'Fake GPU'
report $? "a launch is measured there"
if [ -x "$worker" ]; then
	CUDA_VISIBLE_DEVICES= timeout 60 "$simttutor" doctor \
		--gpu "command:srun --export=ALL,CUDA_VISIBLE_DEVICES= '$worker'" > "$work/out" 2>&1
	[ $? = 3 ] && grep -Eq '^(no_driver|no_device|device_hidden): ' "$work/out"
	report $? "the real worker's error comes through whole"
fi
printf '#!/bin/sh\necho "Welcome to node 1"\nprintf "no newline: "\nexec "%s" "$@"\n' "$fake" > "$dir/chatty"
chmod +x "$dir/chatty"
timeout 60 "$simttutor" doctor --gpu "command:srun -v --gres=gpu:1 '$dir/chatty'" > "$work/out" 2>&1
[ $? = 0 ] && has 'Fake GPU'
report $? "what a prologue prints, and srun -v, are passed over"
timeout 60 "$simttutor" doctor --gpu "command:srun --gres=gpu:9 '$fake'" > "$work/out" 2>&1
[ $? = 3 ] && has '^worker_died: .*srun: error: '
report $? "what is not available is reported in srun's words"

until_ no_job
rm -f "$dir/asked" # of the one before, which would be taken for this one
measure silent & run=$!
until_ asked
until_ find_job
while_running timeout 5 scancel "$id.0"
wait $run
ended=$?
# where srun takes long to end after its output has, that it closed it is all that is known
[ $ended = 1 ] && has 'the worker \(.*ended\|closed its output\)'
report $? "a step canceled in a measurement is reported"
[ $ended = 1 ] || note "its status was $ended"
until_ no_job
measure ok
report $? "and the next one is measured"
until_ no_job
rm -f "$dir/asked" # of the one before, which would be taken for this one
measure silent & run=$!
until_ asked
if node_fails; then
	wait $run
	[ $? = 1 ] && has 'the worker .*ended'
	report $? "a node that goes down in a measurement is reported"
else
	skip "a node that goes down in a measurement is reported" "srun does not notice"
	kill $run
	pkill -f "srun --gres=gpu:1 $dir/watched"
	wait $run
fi
timeout 5 scontrol update nodename="$host" state=resume
until_ idle
measure ok
report $? "and when it is up again it is measured"

# The worker learns it from the end of its input.
until_ no_job
rm -f "$dir/asked"
"$simttutor" run "$dir/nothing.ptx" --kernel nothing --grid 1 --block 32 \
	--gpu "command:srun --gres=gpu:1 '$dir/watched' --ms 3000 slow" > "$work/out" 2>&1 & run=$!
until_ asked
kill -s KILL $run
until_ no_job
report $? "a front end that is killed leaves no job running"

# --- on a terminal ---------------------------------------------------------------------------------------------------
until_ no_job
srun --gres=gpu:1 sleep 600 > /dev/null 2>&1 &
sleeper=$!
until_ running
until_ find_job
busy=$id
term_open 120 30 "SLURM_CONF='$SLURM_CONF'"
gpu="command:srun --gres=gpu:1 '$fake'"
learn banks/2
expect "the model is there while the job waits" '2 wavefronts, ideal 1'
expect "that it waits is shown, in srun's words" 'srun: job [0-9]* queued and waiting for resources'
keys Right
expect "keys work meanwhile" 'stride ◂ 3'
run=$sleeper
while_running timeout 5 scancel "$busy"
wait $sleeper 2> /dev/null
expect "when it is its turn, it is measured" 'Fake GPU, live'
until_ running
until_ find_job
timeout 5 scancel "$id"
expect "a job canceled between measurements is reported" 'connection lost, trying again'
keys Right
expect "and keys work" 'stride ◂ 4'
expect "another job takes its place by itself" 'live: Fake GPU'
until_ running
timeout 5 scontrol update nodename="$host" state=down reason=test
expect "while the node is down it waits" 'starting: srun: '
timeout 5 scontrol update nodename="$host" state=resume
keys Right
expect "and measures when the node is back" 'Fake GPU, live'
keys Q
expect_terminal_back "quit"
until_ no_job
report $? "its job ends with it"
no_job || note "a job is left: $(squeue -h)"
finish
