import { describe, expect, it } from 'vitest'
import { readExit } from 'toolcrib/shell'

const meaningOf = (command: string, code: number, stderr?: string) =>
  readExit(command, code, { stderr }).meaning

/** Stderr is unknown. */
const read = (command: string, code = 1) => meaningOf(command, code)
/** Stderr is known to be empty. */
const silent = (command: string, code = 1) => meaningOf(command, code, '')
/** Stdout has content, and stderr is unknown. */
const found = (command: string) => readExit(command, 1, { stdout: 'a\n' }).meaning

describe('the meaning of an exit code', () => {
  it('is a sentence', () => {
    expect(readExit('grep todo src', 1)).toEqual({
      meaning: 'nothing_found',
      sentence: 'grep found nothing, which is what its exit code 1 says.',
    })
    expect(readExit('! grep -q todo src', 1).sentence).toBe(
      'The command behind "!" succeeded, and "!" makes exit code 1 of that.',
    )
    expect(readExit('cd lib && grep todo .', 1).sentence).toBe(
      'Exit code 1 counts as a failure, because it may come from cd and not from grep.',
    )
    expect(readExit('npm test', 1).sentence).toBe('Exit code 1 is a failure of npm.')
    expect(readExit('if true; then grep a b; fi', 1).sentence).toBe(
      'Exit code 1 counts as a failure, because which of its commands it comes from is not known.',
    )
    expect(readExit('npm test', 0)).toEqual({ meaning: 'success', sentence: 'The command succeeded.' })
  })

  it.each([-1, 256, 1.5, Number.NaN, Infinity])('is a failure for %s, which is not an exit code', (code) => {
    expect(read('grep a b', code)).toBe('failure')
  })

  it('is a failure if the command cannot be read', () => {
    for (const command of ['', '  ', '# grep', "grep 'a", 'grep a b |', `grep ${'a '.repeat(20_000)}`])
      expect(read(command), command.slice(0, 20)).toBe('failure')
  })

  it.each<[string, number]>([
    ['grep a b', 2],
    ['rg a', 2],
    ['diff a b', 2],
    ['test a b', 2],
    ['git grep a', 128],
    ['timeout 5 grep a b', 124],
    ['grep a b', 127],
    ['grep a b', 130],
    ['xargs grep a', 127],
    ['getent passwd a', 1],
    ['comm a b', 1],
    ['npm test', 1],
    ['false', 1],
    ['./grep a b', 1],
    ['tools/grep a b', 1],
    ['$tool a b', 1],
  ])('is a failure for a command without such an answer: %s (%d)', (command, code) => {
    expect(read(command, code)).toBe('failure')
    expect(silent(command, code)).toBe('failure')
  })

  it('is read for a program in a folder of the system too', () => {
    expect(read('/usr/bin/grep a b')).toBe('nothing_found')
  })
})

describe('the command that the code comes from', () => {
  it.each<[string, string]>([
    ['cat log | grep error', 'nothing_found'],
    ['grep error log | tail -n 1', 'failure'],
    ['make; grep error log', 'nothing_found'],
    ['grep error log; make', 'failure'],
    ['for f in *; do cat "$f"; done; grep error log', 'nothing_found'],
    ['make\ngrep error log\n', 'nothing_found'],
    ['make & grep error log', 'nothing_found'],
    ['grep error log &', 'failure'],
    ['true && grep error log', 'nothing_found'],
    ['make && grep error log', 'failure'],
    ['grep error log && make', 'failure'],
    ['grep error log && echo found', 'nothing_found'],
    ['test -f log && grep error log', 'condition_false'],
    ['grep a b && grep c d', 'nothing_found'],
    ['make || grep error log', 'nothing_found'],
    ['grep error log || make', 'failure'],
    ['make && make install || grep error log', 'nothing_found'],
    ['make || true && grep error log', 'nothing_found'],
    ['grep a b || make && grep c d', 'failure'],
    ['! grep error log', 'condition_false'],
    ['! make', 'condition_false'],
    ['! ! grep error log', 'failure'],
    ['(make; grep error log)', 'nothing_found'],
    ['{ make; grep error log; }', 'nothing_found'],
    ['(grep error log; make)', 'failure'],
    ['x=$(grep error log)', 'nothing_found'],
    ['x=$(make)', 'failure'],
    ['x=1 y=$(cat a | grep b)', 'nothing_found'],
    ['LC_ALL=C grep error log', 'nothing_found'],
    ['grep "$(make)" log', 'nothing_found'],
    ['diff <(make a) <(make b)', 'differs'],
    ['while grep a b; do :; done', 'failure'],
    ['case $x in a) grep a b;; esac', 'failure'],
    ['time grep a b', 'nothing_found'],
  ])('%s', (command, meaning) => expect(read(command)).toBe(meaning))

  it.each([
    'set -o pipefail; make | grep a',
    'set -eo pipefail\nmake | grep a',
    'set -o pipefail && make | grep a',
    'set -e; make; grep a b',
    'set -o errexit; make; grep a b',
    'exit 1; grep a b',
    'make || exit 1; grep a b',
    'if ! make; then exit; fi; grep a b',
    'exec make; grep a b',
    'eval "$x"; grep a b',
    'source ./env; grep a b',
    '. ./env; grep a b',
    'trap "exit 1" EXIT; grep a b',
    'alias grep=make; grep a b',
    'grep() { make; }; grep a b',
    'function grep { make; }; grep a b',
    'shopt -s failglob; grep a *',
    'set -o posix; grep a b',
    'set -n; grep a b',
    'command exit 1; grep a b',
    '$x; grep a b',
    'echo ${x?}; grep a b',
    'echo ${x:?no}; grep a b',
    'echo ${!x}; grep a b',
    'echo $((1/0)); grep a b',
    'a[1/0]=1; grep a b',
    'set -u; grep $a b',
    'grep a < b',
    'grep a b > c',
    'grep a b >&7',
    '{ grep a b; } > c',
  ])('may be another one: %s', (command) => expect(read(command)).toBe('failure'))

  it('may be any part of a pipeline if the shell was started with pipefail', () => {
    expect(readExit('make | grep a', 1).meaning).toBe('nothing_found')
    expect(readExit('make | grep a', 1, { pipefail: true }).meaning).toBe('failure')
    expect(readExit('grep a b | grep c', 1, { pipefail: true }).meaning).toBe('nothing_found')
  })

  it.each<[string, string]>([
    ['set -o pipefail; grep a b | grep c', 'nothing_found'],
    ['set -ex; grep a b; grep c d', 'nothing_found'],
    ['set -u; grep a b', 'nothing_found'],
    ['grep a b 2>/dev/null', 'nothing_found'],
    ['grep a b >/dev/null 2>&1', 'nothing_found'],
    ['grep a b &> /dev/null', 'nothing_found'],
    ['grep a <<< b', 'nothing_found'],
    ['grep a << E\nb\nE', 'nothing_found'],
    ['grep a < <(make)', 'nothing_found'],
    ['grep "$a" "${b}" ${c:-d} ${e%.*}', 'nothing_found'],
    ['exec grep a b', 'nothing_found'],
  ])('is certain: %s', (command, meaning) => expect(read(command)).toBe(meaning))
})

describe('an empty stderr', () => {
  it.each([
    'cd lib && grep a b',
    'cd lib && grep a b 2>/dev/null',
    'mkdir -p x && cd x && grep a b',
    'grep a < b',
    'grep a b > c',
    'echo $((x + 1)); grep a b',
    'set -u; grep $a b',
    'set -o pipefail; cat a | grep b | head -n 1',
    'sudo grep a b',
    'ag a b',
    'ack a b',
    'pkill -f a',
  ])('excludes failures that always write a message: %s', (command) => {
    expect(read(command)).toBe('failure')
    expect(meaningOf(command, 1, 'something was said')).toBe('failure')
    expect(silent(command)).toBe('nothing_found')
  })

  it.each([
    '{ cd lib && grep a b; } 2>/dev/null',
    'cd lib 2>/dev/null && grep a b',
    'cd lib 2>&1 && grep a b',
    '(cd lib && grep a b) &> log',
    'grep a 2>/dev/null < b',
    'grep a b > c 2>&1',
    '{ echo $((1/x)); grep a b; } 2>/dev/null',
    'set -o pipefail; cat a |& grep b',
  ])('excludes nothing if it is redirected: %s', (command) => expect(silent(command)).toBe('failure'))
})

describe('a stderr with content', () => {
  it.each([
    'cat missing | grep a',
    'make | sort | grep a',
    'cat missing | { true; grep a; }',
    "bash -c 'cat missing | grep a'",
    'set -o pipefail; grep a b | grep c',
    'diff <(ssh a cat f) <(ssh b cat f)',
    'grep a < <(make)',
    '{ grep a; } < <(make)',
    'grep "$(make)" log',
    'grep a <<< "$(make)"',
    '[[ $(make) == a ]]',
    'x=$(make | grep a)',
  ])("may come from the command's input: %s", (command) => {
    expect(meaningOf(command, 1, 'something was said')).toBe('failure')
    expect(silent(command)).not.toBe('failure')
  })

  it('does not matter for a command without input from others', () => {
    expect(meaningOf('make; grep a b', 1, 'something was said')).toBe('nothing_found')
    expect(readExit('cat missing | grep a', 1, { stderr: 'x' }).sentence).toBe(
      'Exit code 1 counts as a failure, because stderr is not empty, and what fed the command may have failed.',
    )
  })
})

describe('a variable by which another program may run', () => {
  it.each([
    'PATH=. grep a b',
    'PATH=.; grep a b',
    'LD_PRELOAD=./x.so grep a b',
    'BASH_ENV=x bash -c "grep a b"',
    "bash -c 'PATH=. grep a b'",
    'export PATH=.; grep a b',
    'export "PATH=."; grep a b',
    'export $x; grep a b',
    'command export PATH=.; grep a b',
    'declare -x PATH=.; grep a b',
    'unset PATH; grep a b',
    'read PATH < f; grep a b',
    'read -r "$x" <<< .; grep a b',
    'printf -v PATH .; grep a b',
    'for PATH in .; do :; done; grep a b',
    ': ${PATH:=.}; grep a b',
    'hash -p ./x grep; grep a b',
    'x=$(PATH=. grep a b)',
    'env PATH=. grep a b',
    'env -i PATH=/bin grep a b',
    'env LD_PRELOAD="$x" grep a b',
    'env -u PATH grep a b',
    'timeout 5 env PATH=. grep a b',
  ])('makes every code a failure: %s', (command) => {
    expect(read(command)).toBe('failure')
    expect(silent(command)).toBe('failure')
  })

  it.each(['x=1; grep "$x" b', 'export x=1; grep a b', 'printf "%s" PATH; grep a b', 'LANG=C grep a b'])(
    'is none of the others: %s',
    (command) => expect(silent(command)).toBe('nothing_found'),
  )

  it('is named', () => {
    expect(readExit('PATH=. grep a b', 1).sentence).toBe(
      'Exit code 1 counts as a failure, because it sets PATH, by which another program may run.',
    )
  })
})

describe('commands that run others', () => {
  it.each([
    'env grep a b',
    'env LC_ALL=C A="$x" grep a b',
    'env -i A=1 grep a b',
    'env -u A -- grep a b',
    'nice grep a b',
    'nice -n 5 grep a b',
    'nohup grep a b',
    'timeout 5 grep a b',
    'timeout -k 1 -s INT 5s grep a b',
    'timeout --signal=INT 5 grep a b',
    'stdbuf -oL grep a b',
    'command grep a b',
    'command -p grep a b',
    '/usr/bin/time -p grep a b',
    'bash -c "grep a b"',
    "bash -lc 'cat a | grep b'",
    "sh -c 'make; grep a b' name",
    "bash -o pipefail -c 'grep a b | grep c'",
    "timeout 5 bash -c 'env grep a b'",
  ])('are followed to the command that they run: %s', (command) => {
    expect(read(command)).toBe('nothing_found')
    expect(read(command, 2)).toBe('failure')
  })

  it.each([
    'env',
    'env -S "grep a b"',
    'env --bogus grep a b',
    'env $x grep a b',
    'nice -n "$x" grep a b',
    'timeout grep a b',
    'timeout "$x" grep a b',
    'setsid grep a b',
    'flock f grep a b',
    'ssh host grep a b',
    'docker exec c grep a b',
    'watch grep a b',
    'bash script.sh',
    'bash -c "$x"',
    "bash -c 'make | grep a' -o pipefail; make",
    "bash -ec 'make; grep a b'",
    "bash -o pipefail -c 'make | grep a'",
    "bash -uc 'grep $a b'",
    "bash -c 'exit 1'",
    "zsh -c 'grep a b'",
  ])('are a failure if it is unknown what they run: %s', (command) => expect(read(command)).toBe('failure'))

  it('are builtins or programs: only for builtins 127 is an answer', () => {
    expect(read('command -v rg', 127)).toBe('nothing_found')
    expect(read('type rg', 127)).toBe('nothing_found')
    expect(read('env type rg', 127)).toBe('failure')
    expect(read('which rg', 127)).toBe('failure')
  })

  it('use 123 for any failure of a search: only a silent one found nothing', () => {
    const command = "find . -name '*.ts' -print0 | xargs -0 -n 10 grep -l todo"
    expect(read(command, 123)).toBe('failure')
    expect(meaningOf(command, 123, 'grep: a: No such file or directory')).toBe('failure')
    expect(silent(command, 123)).toBe('nothing_found')
    expect(silent(command, 1)).toBe('failure')
    for (const other of ['xargs grep -s a', 'xargs grep -rsq a', 'xargs rg --no-messages a', 'xargs make'])
      expect(silent(other, 123), other).toBe('failure')
  })
})

describe('programs whose arguments decide', () => {
  it.each<[string, number, string]>([
    ['git diff', 1, 'failure'],
    ['git diff --exit-code', 1, 'differs'],
    ['git -C lib --no-pager diff --quiet -- a', 1, 'differs'],
    ['git ls-files a', 1, 'failure'],
    ['git ls-files --error-unmatch a', 1, 'nothing_found'],
    ['git merge-base a b', 1, 'failure'],
    ['git merge-base --is-ancestor a b', 1, 'condition_false'],
    ['git rev-parse --verify a', 1, 'failure'],
    ['git rev-parse --verify -q a', 1, 'nothing_found'],
    ['git rev-parse -q --verify "$a"', 1, 'nothing_found'],
    ['git rev-parse -q --verify a b', 1, 'failure'],
    ['git show-ref --verify --quiet a', 1, 'nothing_found'],
    ['git show-ref --exists a', 1, 'failure'],
    ['git config --get a.b', 1, 'nothing_found'],
    ['git config --get --global a.b.c', 1, 'nothing_found'],
    ['git config a.b', 1, 'nothing_found'],
    ['git config --global a.b', 1, 'nothing_found'],
    ['git config get a.b', 1, 'nothing_found'],
    ['git config --get ab', 1, 'failure'],
    ['git config --get a.b_c', 1, 'failure'],
    ['git config a.b c', 1, 'failure'],
    ['git config --unset a.b', 1, 'failure'],
    ['git $x', 1, 'failure'],
    ['git push', 1, 'failure'],
    ['jq .a b', 1, 'failure'],
    ['jq -e .a b', 1, 'condition_false'],
    ['jq -re .a b', 1, 'condition_false'],
    ['jq --exit-status .a b', 1, 'condition_false'],
    ['jq -e "halt_error(1)" b', 1, 'failure'],
    ['jq -e "$filter" b', 1, 'failure'],
    ['jq -ef filter.jq b', 1, 'failure'],
    ['jq -e .a b', 5, 'failure'],
    ['systemctl is-active a', 3, 'condition_false'],
    ['systemctl is-active a', 1, 'failure'],
    ['systemctl status a', 3, 'failure'],
    ['command -v a', 1, 'nothing_found'],
    ['command a', 1, 'failure'],
  ])('%s (%d)', (command, code, meaning) => expect(read(command, code)).toBe(meaning))

  it.each<[string, number, string]>([
    ['git diff --quiet HEAD -- a', 1, 'differs'],
    ['git diff --no-index a b', 1, 'differs'],
    ['jq -e .a b', 4, 'nothing_found'],
    ['jq -e "$filter" b', 1, 'condition_false'],
    ['systemctl is-enabled a', 1, 'condition_false'],
    ['git config --get "$key"', 1, 'nothing_found'],
    ['[[ $x -gt 3 ]]', 1, 'condition_false'],
    ['(( x > 3 ))', 1, 'condition_false'],
    ['let x', 1, 'condition_false'],
  ])('and, for these, whether stderr is empty: %s (%d)', (command, code, meaning) => {
    expect(read(command, code)).toBe('failure')
    expect(meaningOf(command, code, 'error: no such thing')).toBe('failure')
    expect(silent(command, code)).toBe(meaning)
  })

  it.each([
    'find',
    'find /',
    "find . -name '*.ts'",
    'find . -name "$x" -type f -print0',
    'find a b -maxdepth 2 ( -name x -o -name y ) ! -empty'.replaceAll(/[()]/g, String.raw`\$&`),
    'find src/*/lib -mtime -1 -size +10k -not -path "./x/*"',
    'find . -name x -exec grep -l todo {} \\;',
    'find -L . -type f,d -prune -o -print',
    'find / -name x 2>/dev/null',
    'timeout 5 find . -name x',
    'find . -name log && grep a b',
  ])('find could not read everything, if it found something: %s', (command) => {
    expect(found(command)).toBe('partly')
    expect(read(command)).toBe('failure')
    expect(readExit(command, 1, { stdout: '', stderr: 'find: no' }).meaning).toBe('failure')
  })

  it.each([
    'echo a; find missing',
    'echo a && find missing',
    'echo a || find missing',
    'find missing 2>&1',
    '{ find missing; } 2>&1',
    'set -o pipefail; find missing | wc -l',
    'x=$(find missing)',
  ])('the output may not be from find: %s', (command) => expect(found(command)).toBe('failure'))

  it.each([
    'find . -bogus',
    'find . -name',
    'find . -size x',
    'find . -newer x',
    'find . -user x',
    'find . -regex x',
    'find . -delete',
    'find . -name x -exec rm {} +',
    'find . -exec a {} + -exec b {} \\;',
    'find . -exec rm {}',
    'find . -name x -o',
    'find . -o -name x',
    String.raw`find . \( -name x`,
    String.raw`find . -name x \)`,
    String.raw`find . \( \)`,
    'find . !',
    'find . -type f x',
    'find "$x" -name y',
    'find . $x',
    'find . -fprint x',
  ])('find may not have searched at all: %s', (command) => expect(found(command)).toBe('failure'))
})
