# `simttutor lesson new`: with every wish a lesson that passes its check as it is, alone and in a course.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
cd "$work" || exit 99

answers 0 "home-1/01-mine/lesson.md" "check --no-recorded home-1/01-mine" -- lesson new home-1/01-mine
answers 0 "A new lesson, 2 steps" "the answer is 4 (stride 4)" -- lesson check --no-recorded home-1/01-mine
answers 1 "there is a lesson already" -- lesson new home-1/01-mine
answers 2 "new takes one folder" -- lesson new --exercise
answers 2 "new takes one folder" -- lesson new home-1/02-a home-1/03-b
answers 2 "'Mine' is not" -- lesson new home-1/Mine
[ ! -e home-1/02-a ] && [ ! -e home-1/Mine ]
report $? "nothing is left of what is refused"

# Alone, with a kernel of its own, its PTX and an exercise.
answers 0 "kernels/mine.ptx" "exercise/solution.ptx" -- \
	lesson new --kernel mine --exercise --title 'Rows: "and" \columns' --track "Here: it begins" home-1/02-own
answers 0 'Rows: "and" \columns, 3 steps' "the answer is 4 (flip 31)" "3 exercise: exercise" "start fails: four sectors" \
	"wrong/half fails" -- lesson check --no-recorded home-1/02-own
grep -qF 'kernels/mine.cu' home-1/02-own/kernels/mine.ptx && ! grep -q mirror home-1/02-own/kernels/*
report $? "the kernel has its own name throughout"

# In a course: its kernels are the course's, and it comes after the lesson before it.
capture "$simttutor" course new course
answers 0 "course/kernels/mine.cu" "course/lessons/02-own/lesson.md" -- \
	lesson new --kernel mine --exercise --views source,sectors course/lessons/02-own
grep -qxF 'after: [first]' course/lessons/02-own/lesson.md && grep -qF '"lessons/02-own/exercise/start.cu"' course/lessons/02-own/exercise/start.ptx
report $? "it comes after the lesson before it, and PTX is named from the course on"
answers 0 "2 lessons: 5 steps" -- course check --no-recorded course
answers 0 "1 lesson: 3 steps" -- lesson check --no-recorded course/lessons/02-own
(cd course/lessons && "$simttutor" lesson new --after first,own 03-more && "$simttutor" lesson check --no-recorded 03-more) > "$work/out" 2>&1
report $? "so it is from the folder of the lessons"
answers 0 "1 exercise" -- course check --no-recorded course
answers 1 "unknown view 'nix'" "lessons/04-no/lesson.md" -- lesson new --views nix course/lessons/04-no
answers 1 "04-no/lesson.md" -- lesson new --after 'a] [' course/lessons/04-no
answers 1 "there is no lesson 'nix'" -- lesson new --after first,nix course/lessons/04-no
answers 1 "lower-case letters" -- lesson new --kernel '../x' course/lessons/04-no
answers 1 "no lesson says once for all of its steps how gather is launched" "shared_stride, " -- lesson new --kernel gather course/lessons/04-no
[ ! -e course/lessons/04-no ]
report $? "nothing is left of those either"

# As lessons launch their kernels: some, or all that can be begun with.
kernels="strided_copy swizzle latency"
long && kernels=$("$simttutor" lesson new --kernel gather 09-x 2>&1 | sed -n 's/.*begun with: //; s/,//gp')
for kernel in $kernels; do
	if ! capture_all "$simttutor" lesson new --kernel "$kernel" --exercise "home-2/01-of-$(echo "$kernel" | tr _ -)"; then
		printed out 'no lesson that passes can be made'
		report $? "$kernel: it says that it cannot"
		continue
	fi
	capture_all "$simttutor" lesson check --no-recorded "home-2/01-of-$(echo "$kernel" | tr _ -)"
	ends 0 && has '\(2 steps, 1 question (1 \|3 steps, 2 questions (2 \)answered by a witness), 0 claims, 1 exercise' # a sweep is a step
	report $? "$kernel: a lesson that passes"
done
finish
