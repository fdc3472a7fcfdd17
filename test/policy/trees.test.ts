import { describe, expect, it, onTestFinished } from 'vitest'
import { createCrib, defineHook, defineTool, memoryStore, type CribOptions } from 'toolcrib'

const shell = defineTool({
  namespace: 'shell',
  name: 'exec',
  kind: 'shell_command',
  description: 'Runs a command.',
  input: { jsonSchema: { type: 'object', properties: { command: { type: 'string' } } } },
  command: 'command',
  execute: () => 'done',
})

async function open(options: Partial<CribOptions>) {
  const crib = await createCrib({ store: memoryStore(), tools: [shell], workspace: '/work/here', ...options })
  onTestFinished(() => crib.close())
  return crib
}

async function decide(command: string, permission: CribOptions['permission']): Promise<string> {
  const crib = await open({ permission: permission! })
  return crib.explain({ tool: 'shell.exec', input: { command } }).behavior
}

describe('a command that walks folders', () => {
  const rules = { allow: ['shell.exec'], deny: ['Read(.env)', 'Read(./secrets/**)', 'Edit(./keep/**)'] }

  it.each([
    'grep -r PASS .',
    'grep -rn PASS ../here',
    'egrep --recursive PASS src',
    'rg PASS',
    'rg --hidden PASS src',
    'find . -name .env -exec cat {} +',
    'find . -type f | xargs cat',
    'tar cf - .',
    'tar -czf /tmp/a.tgz .',
    'cp -r . /tmp/copy',
    'rsync -a . elsewhere:/tmp',
    'zip -r a.zip .',
    'diff -r . /other',
    'git add .',
    'rm -rf .',
    'mv . /tmp/gone',
    'chmod -R 777 .',
  ])('needs approval if something in them is denied: %s', async (command) => {
    expect(await decide(command, rules)).toBe('ask')
  })

  it.each(['ls -la .', 'git status', 'cat src/a.ts', 'grep PASS src/a.ts', 'rg PASS src/lib', 'rm src/a.ts'])(
    'is not met by what it does not go into: %s',
    async (command) => {
      expect(await decide(command, { ...rules, deny: ['Read(./.env)', 'Read(./secrets/**)'] })).toBe('allow')
    },
  )

  it.each([
    ['rm -rf build', 'allow'],
    ['rm -rf build dist 2>/dev/null', 'allow'],
    ['chmod -R 700 build', 'allow'],
    ['chown -R ann build > log', 'allow'],
    ['grep -r x > out', 'ask'],
    ['rgrep x > out', 'ask'],
    ['ugrep -r x', 'ask'],
    ['rm -rf build; ugrep -r x', 'ask'],
    ['chmod -R 700 build && ack x', 'ask'],
    ['rm -rf build; git grep x', 'ask'],
  ])('reads its working folder only if it names no other: %s', async (command, expected) => {
    expect(await decide(command, { allow: ['shell.exec'], deny: ['Read(.env)'] })).toBe(expected)
  })

  it('search programs that skip hidden files do not reach a hidden one', async () => {
    expect(await decide('rg PASS', { allow: ['shell.exec'], deny: ['Read(.env)'] })).toBe('allow')
    expect(await decide('rg -uu PASS', { allow: ['shell.exec'], deny: ['Read(.env)'] })).toBe('ask')
  })

  it('a named file is denied as before', async () => {
    expect(await decide('grep -r PASS secrets/keys', rules)).toBe('deny')
    expect(await decide('cat .env', rules)).toBe('deny')
  })

  it('a tool that searches a folder reads its files too', async () => {
    const crib = await open({ permission: { deny: ['Read(./secrets/**)'] } })
    expect(crib.explain({ tool: 'Grep', input: { path: 'secrets', pattern: 'x' } }).behavior).toBe('ask')
    expect(crib.explain({ tool: 'Grep', input: { path: 'src', pattern: 'x' } }).behavior).toBe('allow')
  })
})

describe('options between git and its sub-command', () => {
  it.each(['git -C . push', 'git -c a=b push origin', 'git --no-pager -C x push', '/usr/bin/git -C . push'])(
    'hide nothing from a deny: %s',
    async (command) => {
      expect(await decide(command, { deny: ['shell.exec(git push:*)'], mode: 'bypass' })).toBe('deny')
    },
  )

  it('are not allowed with it', async () => {
    expect(await decide('git -c core.pager=x push', { allow: ['shell.exec(git push:*)'] })).toBe('ask')
  })
})

describe('an unknown program', () => {
  it.each(['python3 x.py', './unknown-program', 'make all', 'npm run build'])(
    'may reach outside and destroy: %s',
    async (command) => {
      const when = (fact: object) => ({ deny: [{ rule: 'shell.exec', when: fact }], mode: 'bypass' as const })
      expect(await decide(command, when({ open_world: true }))).toBe('ask')
      expect(await decide(command, when({ destructive: true }))).toBe('ask')
    },
  )
})

describe('in the mode dontAsk', () => {
  it('an ask of a hook or a custom decider is denied too', async () => {
    const asking = defineHook({
      id: 'h',
      event: 'pre_tool_use',
      run: () => ({ permission: { behavior: 'ask' } }),
    })
    for (const more of [{ hooks: [asking] }, { decider: () => ({ behavior: 'ask' }) as const }]) {
      const asked: string[] = []
      const crib = await open({
        permission: { mode: 'dontAsk', allow: ['shell.exec'] },
        approver: ({ toolId }) => {
          asked.push(toolId)
          return { approved: true }
        },
        ...more,
      })
      const surface = await crib.surface({ scope: 'session' })
      const result = await crib.call(surface, { name: 'shell.exec', input: { command: 'make' } })
      expect({ status: result.status, asked }).toEqual({ status: 'denied', asked: [] })
    }
  })
})
