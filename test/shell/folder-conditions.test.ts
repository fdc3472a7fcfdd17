import { describe, expect, it } from 'vitest'
import type { FolderFacts } from '../../src/shell/folder-facts.js'
import { readCommand } from '../../src/shell/read-command.js'
import { readOnce } from '../../src/shell/read-once.js'

const home = '/home/me'
const blind = { cwd: '/w', home }

/** Facts that accept everything, and record the questions. */
function listening(): { folders: FolderFacts; asked: string[] } {
  const asked: string[] = []
  const folders: FolderFacts = {
    gitProblem(folder, use) {
      asked.push(`git ${use} in ${folder}`)
      return undefined
    },
    isTrusted(folder) {
      asked.push(`trust in ${folder}`)
      return true
    },
  }
  return { folders, asked }
}

describe('a command that obeys files of a folder', () => {
  it.each([
    ['git status', 'git would obey the configuration of a repository that was not checked.'],
    ['git -C x log', 'git would obey the configuration of a repository that was not checked.'],
    ['cd x && git status', 'git would obey the configuration of a repository that was not checked.'],
    ['mvn -v', 'mvn would obey files of a folder that was not checked.'],
    ['ansible-config dump', 'ansible-config would obey files of a folder that was not checked.'],
    ['terraform version', 'terraform would obey files of a folder that was not checked.'],
    ['npm ls', 'npm would obey files of a folder that was not checked.'],
    ['cargo --version', 'cargo would obey files of a folder that was not checked.'],
  ])('%s is not proven without facts about folders', (command, reason) => {
    const reading = readCommand(command, blind)
    expect(reading.is_read_only).toBe(false)
    expect(reading.reasons).toContain(reason)
    expect(reading.commands.at(-1)!.isReadOnly).toBe(false)
  })

  it.each<[string, string[]]>([
    ['ls', []],
    ['git --version', []],
    ['git log', ['git history in /w']],
    ['git status; git diff', ['git files in /w']],
    ['git ls-remote origin', ['git remote in /w']],
    ['git -C sub status', ['git files in /w/sub']],
    ['git -C /x -C y log', ['git history in /x/y']],
    ['cd sub && git log', ['git history in /w', 'git history in /w/sub']],
    ['git log; cd /x', ['git history in /w', 'git history in /x']],
    ['cd a; cd b; git log', ['/w', '/w/a', '/w/b', '/w/a/b'].map((at) => `git history in ${at}`)],
    ['cd ../x && git log', ['git history in /w', 'git history in /w/../x', 'git history in /x']],
    ['pushd sub; git log; popd', ['git history in /w', 'git history in /w/sub']],
    ['bash -c "cd sub; git log"', ['git history in /w', 'git history in /w/sub']],
    ['cd there && mvn -v', ['trust in /w', 'trust in /w/there']],
    ['for x in 1 2; do cd /x; git log; done', ['git history in /w', 'git history in /x']],
    ['echo a | xargs -I{} git log', ['git history in /w']],
  ])('%s checks every folder in which it may run', (command, expected) => {
    const { folders, asked } = listening()
    const reading = readCommand(command, { ...blind, folders })
    expect(reading.reasons).toEqual([])
    expect(reading.is_read_only).toBe(true)
    expect(asked.toSorted()).toEqual(expected.toSorted())
  })

  it.each([
    'cd "$x" && git status',
    'cd && git status',
    'cd - && git status',
    'cd ~/x && git status',
    'git -C "$x" status',
    'git -C ~ status',
    'cd a b && git status',
    'git status; cd $(pwd)/x',
    "find . -execdir git status ';'",
    'find . -execdir mvn -v {} +',
    'for x in 1 2; do cd sub; git status; done',
    'while true; do pushd sub; git status; done',
    'find . -name x | xargs -I{} git -C {} status',
    'env -C x git status',
    'git --git-dir=x status',
    'git --work-tree=x status',
    'GIT_DIR=x git status',
    'CDPATH=/x cd y && git status',
    'terraform -chdir=x version',
  ])('%s is not proven in any folder', (command) =>
    expect(readCommand(command, { ...blind, folders: listening().folders }).is_read_only).toBe(false),
  )

  it('is not proven if one of several folders is refused', () => {
    const folders: FolderFacts = {
      gitProblem: (folder) => (folder === '/w/a/b' ? 'No.' : undefined),
      isTrusted: (folder) => folder !== '/x',
    }
    const reasonOf = (command: string) => readCommand(command, { ...blind, folders }).reasons[0]
    expect(reasonOf('cd a; cd b; git log')).toBe('No.')
    expect(reasonOf('cd b; cd a; git log')).toBeUndefined()
    expect(reasonOf('cd /x; npm ls')).toBe('npm obeys files of /x, which is not trusted.')
    const { commands } = readCommand("git -C a/b log && ls && bash -c 'git -C a/b log'", {
      ...blind,
      folders,
    })
    expect(commands.filter(({ isReadOnly }) => isReadOnly).map(({ text }) => text)).toEqual(['ls'])
  })

  it('is not proven if cd searches other folders', () => {
    const folders: FolderFacts = { ...listening().folders, hasSearchPath: true }
    expect(readCommand('cd sub && git log', { ...blind, folders }).is_read_only).toBe(false)
    expect(readCommand('cd /x && git log', { ...blind, folders }).is_read_only).toBe(true)
  })

  it('is read again each time, and others are not', () => {
    let problem: string | undefined
    const folders: FolderFacts = { gitProblem: () => problem, isTrusted: () => true }
    const place = { ...blind, folders }
    expect(readOnce('git log', place).is_read_only).toBe(true)
    problem = 'No.'
    expect(readOnce('git log', place).is_read_only).toBe(false)
    expect(readOnce('git log', blind).reasons[0]).toContain('was not checked')
    expect(readOnce('ls', place)).toBe(readOnce('ls', blind))
  })
})

describe('is proven', () => {
  it.each([
    'git -c color.ui=always -C sub log --oneline',
    'git -c core.quotepath=off status',
    'env LANG=C git status',
    'xargs -- cat',
    'find . -name x | xargs -I{} cat ./{}',
    'find . -print0 | xargs -0 -I{} head -n 1 ./{}',
    'ls | xargs --replace=% wc -l ./%',
    'set -e; ls',
    'set -euo pipefail; ls | wc -l',
    'set -o errexit; set +e; ls',
    'pushd /tmp; ls; popd',
    'pushd /tmp && dirs -v',
  ])('%s', (command) => {
    const reading = readCommand(command, { ...blind, folders: listening().folders })
    expect([reading.is_read_only, reading.reasons]).toEqual([true, expect.any(Array)])
  })
})

describe('is not proven', () => {
  it.each([
    'set -x; ls',
    'set -a; x=1; ls',
    'set -o posix; ls',
    'set -eux; ls',
    'set -o; rm x',
    'set "$x"; ls',
    'pushd -x; ls',
    'popd x; ls',
    'ls | xargs -I{} {} x',
    'ls | xargs -I{} sh -c "cat {}"',
    'ls | xargs -I{} -n1 sort ./{}',
    'ls | xargs -I{} sort {}',
    'xargs --arg-file=list sort',
    'xargs --process-slot-var=PATH ls',
    'git -c core.pager=sh log',
    'git -c core.sshCommand=sh log',
    'git -c remote.origin.url=x ls-remote origin',
    'git -c include.path=x log',
    'git -c core.fsmonitor log',
    'git -c x log',
    'git log --submodule',
    'git log -p --submodule=diff',
    'git grep --recurse-submodules x',
    'git lfs status',
    'git lfs ls-files',
    'git ls-remote sub',
    'git ls-remote ext::sh',
    'git ls-remote refs/heads',
    'git remote show sub',
    'git log --outp=x',
    'git log --output=x',
    'git show --ext-diff',
    'git show --ext',
    'git cat-file --textconv HEAD:x',
    'git cat-file --filters HEAD:x',
    'git grep -Oless x',
    'git grep --open-files-in-pager=less x',
    'git archive --remote=. HEAD',
    'git archive --format=tar.gz HEAD',
    'git fsck --lost-found',
    'git config user.name --get-regexp .',
    'git config user.name --list',
    'git config --get-all user.name --type=int x',
    "awk '{print}' /inet/tcp/0/example.com/80",
    "awk '{print}' x=1 /inet4/tcp/0/example.com/80",
    'awk \'{print}\' "$x"',
    "ls | xargs awk '{print}'",
    'gawk \'BEGIN { ARGV[1] = "/inet/tcp/0/example.com/80"; ARGC = 2 } { print }\'',
    'gawk \'BEGIN { "/inet/tcp/0/h/80" |& getline x; print x }\'',
    'gawk \'@load "filefuncs"; { print }\' x',
    'gawk \'@include "x"\' x',
    "gawk -i x '{ print }' y",
    "gawk -l x '{ print }' y",
    'find -files0-from list -delete',
    "env -S 'sh -c id'",
    'time -o x ls',
    'script -c id x',
  ])('%s', (command) =>
    expect(readCommand(command, { ...blind, folders: listening().folders }).is_read_only).toBe(false),
  )
})
