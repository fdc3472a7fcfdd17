import { describe, expect, it } from 'vitest'
import { commandJudge } from '../attack/judge-command.mjs'

const judge = commandJudge({ allow: ['Bash'], deny: ['Bash(canary:*)', 'Bash(git push:*)'] })

describe('a program that a rule denies', () => {
  it.each([
    'canary x',
    '/canary/canary',
    'cd /canary; ./canary',
    '//canary//canary',
    '/canary/{canary,x}',
    'git push',
    'git -C x push',
  ])('is denied by its name, in any folder: %s', (line) => expect(judge(line)).toBe('deny'))

  it.each([
    'setarch -R canary',
    'chrt -o 0 canary',
    'prlimit canary',
    'rg --pre canary alpha',
    'git grep -Ocanary alpha',
    'install --strip-program=canary -s a.txt made',
    'zip x a.txt -TT canary -T',
    'compgen -C canary',
    `compgen -W '$(canary)'`,
    'echo canary | xargs -I{} sh -c {}',
    `env 'BASH_FUNC_ls%%=() { canary; }' bash -c ls`,
    `dc -e '!canary'`,
    `ed <<< '!canary'`,
    `gdb -batch -ex 'shell canary'`,
    `make -f - <<< $'all:\\n\\tcanary'`,
    'hash -p /canary/canary ls; ls x',
    'sh /canary/canary',
    'run-parts /canary',
    `python3 -c 'import os; os.execvp("git", ["git", "push"])'`,
  ])('needs at least approval if something may run it: %s', (line) => expect(judge(line)).not.toBe('allow'))

  it.each([
    'echo canary',
    'grep canary a.txt',
    'git commit -m "a message"',
    'git status',
    'npm test',
    'mkdir canaries',
    './run.sh',
  ])('is not assumed where it cannot run: %s', (line) => expect(judge(line)).toBe('allow'))

  it('is covered by a rule about the program that runs it', () => {
    const narrow = commandJudge({ allow: ['Bash(setarch:*)'], deny: ['Bash(canary:*)'] })
    expect(narrow('setarch -R ls')).toBe('allow')
  })
})
