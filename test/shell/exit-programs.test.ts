import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readExit } from '../../src/shell/read-exit.js'
import { temporaryFolder } from '../temporary-folder.js'

/** A command, its exit code here, and the meaning. Fixed, harmless, and run in a folder of their own. */
type Case = readonly [command: string, code: number, meaning: string]

const searching: readonly Case[] = [
  ['grep zzz a.txt', 1, 'nothing_found'],
  ['grep zzz missing', 2, 'failure'],
  ['grep -s zzz missing', 2, 'failure'],
  ["grep '[' a.txt", 2, 'failure'],
  ['egrep zzz a.txt', 1, 'nothing_found'],
  ['fgrep zzz a.txt', 1, 'nothing_found'],
  ['zgrep zzz a.txt.gz', 1, 'nothing_found'],
  ['zgrep zzz missing.gz', 2, 'failure'],
  ['rg zzz a.txt', 1, 'nothing_found'],
  ['rg zzz missing', 2, 'failure'],
  ['ag zzz a.txt', 1, 'nothing_found'],
  ['ack zzz a.txt', 1, 'nothing_found'],
  ['pgrep -x no-such-name', 1, 'nothing_found'],
  ['pgrep --bogus', 2, 'failure'],
  ['pidof no-such-name', 1, 'nothing_found'],
  ['pkill -0 -x no-such-name', 1, 'nothing_found'],
  ['which no-such-name', 1, 'nothing_found'],
  ['hash no-such-name', 1, 'nothing_found'],
  ['getent passwd no-such-name', 2, 'nothing_found'],
  ['getent no-such-base x', 1, 'failure'],
  ['find . -name a.txt missing', 1, 'failure'],
  ['find . missing -name a.txt', 1, 'partly'],
  ['find missing -name a.txt', 1, 'failure'],
  ['find . missing -name no-such-name', 1, 'failure'],
  ['find . -bogus', 1, 'failure'],
  ['find . -name a.txt -exec false {} +', 1, 'failure'],
]

const comparing: readonly Case[] = [
  ['diff a.txt b.txt', 1, 'differs'],
  ['diff a.txt missing', 2, 'failure'],
  ['cmp a.txt b.txt', 1, 'differs'],
  ['cmp -s a.txt missing', 2, 'failure'],
  ['comm a.txt missing', 1, 'failure'],
  ['test -f missing', 1, 'condition_false'],
  ['test x -eq 1', 2, 'failure'],
  ['[ -f missing ]', 1, 'condition_false'],
  ['[ -f missing', 2, 'failure'],
  ['expr 1 = 2', 1, 'condition_false'],
  ['expr 1 / 0', 2, 'failure'],
  [`echo '{"a":null}' | jq -e .a`, 1, 'condition_false'],
  ["echo '{}' | jq -e empty", 4, 'nothing_found'],
  [`echo '{"a":1}' | jq -e .a.b`, 5, 'failure'],
  ['jq -n -e \'"x" | halt_error(1)\'', 1, 'failure'],
]

const git: readonly Case[] = [
  ['git grep zzz', 1, 'nothing_found'],
  ["git grep '\\('", 128, 'failure'],
  ['git diff --exit-code', 1, 'differs'],
  ['git diff --quiet', 1, 'differs'],
  ['git diff --quiet HEAD -- a.txt', 1, 'differs'],
  ['git diff --quiet no-such-name', 128, 'failure'],
  ['git diff --no-index --quiet a.txt b.txt', 1, 'differs'],
  ['git diff --no-index --quiet a.txt missing', 1, 'failure'],
  ['git diff-index --quiet HEAD', 1, 'differs'],
  ['git ls-files --error-unmatch missing', 1, 'nothing_found'],
  ['git merge-base --is-ancestor HEAD HEAD~1', 1, 'condition_false'],
  ['git merge-base --is-ancestor no-such-name HEAD', 128, 'failure'],
  ['git show-ref no-such-name', 1, 'nothing_found'],
  ['git show-ref --verify -q refs/heads/no-such-name', 1, 'nothing_found'],
  ['git rev-parse --verify -q no-such-name', 1, 'nothing_found'],
  ['git rev-parse --verify no-such-name', 128, 'failure'],
  ['git config --get no.such', 1, 'nothing_found'],
  ['git config --get nosuch', 1, 'failure'],
  ['git config --get-regexp no.such', 1, 'nothing_found'],
  ['git check-ignore a.txt', 1, 'nothing_found'],
  ['git cat-file -e 0123456789012345678901234567890123456789', 1, 'nothing_found'],
  ['git cat-file -e no-such-name', 128, 'failure'],
]

const joined: readonly Case[] = [
  ['cat a.txt | grep zzz', 1, 'nothing_found'],
  ['true && grep zzz a.txt', 1, 'nothing_found'],
  ['cd sub && grep zzz c.txt', 1, 'nothing_found'],
  ['cat missing; grep zzz a.txt', 1, 'nothing_found'],
  ['(cat missing || grep zzz a.txt)', 1, 'nothing_found'],
  ['! grep alpha a.txt', 1, 'condition_false'],
  ['x=$(grep zzz a.txt)', 1, 'nothing_found'],
  ['set -e; grep zzz a.txt; true', 1, 'nothing_found'],
  ['env A=1 nice -n 5 timeout 5 nohup grep zzz a.txt', 1, 'nothing_found'],
  ['env --bogus grep zzz a.txt', 125, 'failure'],
  ['timeout 0.05 sleep 5', 124, 'failure'],
  ['stdbuf -oL grep zzz a.txt', 1, 'nothing_found'],
  ['command grep zzz a.txt', 1, 'nothing_found'],
  ['exec grep zzz a.txt', 1, 'nothing_found'],
  ["bash -c 'grep zzz a.txt'", 1, 'nothing_found'],
  ["bash -o pipefail -c 'grep zzz a.txt | grep alpha'", 1, 'nothing_found'],
  ['echo a.txt | xargs grep zzz', 123, 'nothing_found'],
  ['echo missing | xargs grep zzz', 123, 'failure'],
]

/** Cases in which the codes of shells differ. */
const bashOnly: readonly Case[] = [
  ['[[ -f missing ]]', 1, 'condition_false'],
  ['[[ abc/0 -eq 1 ]]', 1, 'failure'],
  ['(( 0 ))', 1, 'condition_false'],
  ['(( 1/0 ))', 1, 'failure'],
  ['let 0', 1, 'condition_false'],
  ['type no-such-name', 1, 'nothing_found'],
  ['command -v no-such-name', 1, 'nothing_found'],
  ['diff <(echo a) <(echo b)', 1, 'differs'],
  ['grep zzz < missing', 1, 'failure'],
  ['grep zzz a.txt > missing/x', 1, 'failure'],
  ['{ grep zzz a.txt; } > missing/x', 1, 'failure'],
  ['grep zzz a.txt 2>/dev/null < missing', 1, 'failure'],
  ['cd missing && grep zzz a.txt', 1, 'failure'],
  ['cd missing 2>/dev/null && grep zzz a.txt', 1, 'failure'],
  ['echo $((1/0)); grep zzz a.txt', 1, 'failure'],
  ['readonly r=1; r=2; grep zzz a.txt', 1, 'failure'],
  ['set -o pipefail; grep zzz a.txt | cat', 1, 'nothing_found'],
  ['set -o pipefail; cat missing | grep -v zzz', 1, 'failure'],
]
const dashOnly: readonly Case[] = [
  ['type no-such-name', 127, 'nothing_found'],
  ['command -v no-such-name', 127, 'nothing_found'],
  ['env command -v no-such-name', 127, 'failure'],
  ['grep zzz < missing', 2, 'failure'],
  ['cd missing && grep zzz a.txt', 2, 'failure'],
]

/** The command's input fails: only stderr shows that. */
const fed: readonly Case[] = [
  ['cat missing | grep zzz', 1, 'failure'],
  ['grep "$(cat missing)zzz" a.txt', 1, 'failure'],
]
const fedInBash: readonly Case[] = [['diff <(cat a.txt) <(cat missing)', 1, 'failure']]

/** External programs that may be missing. */
const programs =
  'rg ag ack jq git getent pgrep pidof pkill zgrep which expr timeout nice nohup stdbuf xargs hash'.split(' ')

let place: string

beforeAll(() => {
  place = temporaryFolder()
  mkdirSync(join(place, 'sub'))
  const files = { 'a.txt': 'alpha\n', 'b.txt': 'beta\n', 'sub/c.txt': 'gamma\n' }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place, name), text)
  if (isThere('gzip')) execFileSync('gzip', ['-k', 'a.txt'], { cwd: place })
  if (!isThere('git')) return
  const who = ['-c', 'user.name=Nobody', '-c', 'user.email=nobody@example.invalid']
  const run = (...args: readonly string[]) =>
    execFileSync('git', [...who, ...args], { cwd: place, stdio: 'ignore', env: environment() })
  run('init', '--quiet', '--template=', '--initial-branch=main')
  run('add', 'a.txt')
  run('commit', '--quiet', '--no-gpg-sign', '-m', 'first')
  run('commit', '--quiet', '--no-gpg-sign', '--allow-empty', '-m', 'second')
  writeFileSync(join(place, 'a.txt'), 'alpha\nmore\n')
})
afterAll(() => rmSync(place, { recursive: true, force: true }))

function environment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], HOME: place, LC_ALL: 'C', GIT_CONFIG_NOSYSTEM: '1', GIT_PAGER: 'cat' }
}

function isThere(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
}

const absent = new Set(programs.filter((program) => !isThere(program)))
if (absent.size > 0) console.log(`skipped: exit codes of ${[...absent].join(', ')}, not installed here`)

const shells: [string, readonly Case[]][] = [
  ['bash', [...searching, ...comparing, ...git, ...joined, ...bashOnly, ...fed, ...fedInBash]],
  ['dash', [...searching, ...comparing, ...git, ...joined, ...dashOnly, ...fed]],
]

for (const [shell, cases] of shells) {
  const isAbsent = !isThere(shell)
  if (isAbsent) console.log(`skipped: exit codes in ${shell}, not installed here`)
  const runnable = cases.filter(([command]) => !command.split(/[\s']+/).some((word) => absent.has(word)))

  describe.skipIf(isAbsent)(`in a real ${shell}`, () => {
    it.each(runnable)('%s', (command, code, meaning) => {
      const { status, stdout, stderr } = spawnSync(shell, ['-c', command], {
        cwd: place,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
        env: environment(),
      })
      expect({ status, meaning: readExit(command, status!, { stdout, stderr }).meaning }).toEqual({
        status: code,
        meaning,
      })
      if ([...fed, ...fedInBash].some(([each]) => each === command)) return
      // Without stderr the reading may be stricter, never looser.
      expect(['failure', meaning]).toContain(readExit(command, status!).meaning)
    })
  })
}
