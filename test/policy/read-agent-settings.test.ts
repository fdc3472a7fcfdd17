import { describe, expect, it } from 'vitest'
import { readAgentSettings } from '../../src/policy/import/read-agent-settings.js'

const file = '/home/user/.claude/settings.json'
const nothing = {
  isReadable: true,
  allow: [],
  ask: [],
  deny: [],
  defaultMode: undefined,
  additionalDirectories: [],
  isBypassDisabled: false,
  hooks: [],
  lines: { defaultMode: 1, disableBypassPermissionsMode: 1 },
  problems: [],
  ignored: [],
}

describe('readAgentSettings', () => {
  it('reads rules, mode, folders and hooks, each with its line', async () => {
    const text = `// kept by hand
{
\t"$schema": "https://example.com//settings.json",
\t"model": "some-model", /* over
\t two lines */
\t"permissions": {
\t\t"allow": [
\t\t\t"Bash(npm run test:*)", // tests
\t\t\t"Read(//tmp/**)",
\t\t],
\t\t"ask": ["Bash(git push:*)"],
\t\t"deny": ["Read(./.env)", "WebFetch(domain:example.com)"],
\t\t"defaultMode": "acceptEdits",
\t\t"additionalDirectories": ["../docs/"],
\t\t"disableBypassPermissionsMode": "disable",
\t\t"somethingElse": true
\t},
\t"hooks": {
\t\t"PreToolUse": [
\t\t\t{
\t\t\t\t"matcher": "Bash|Edit",
\t\t\t\t"hooks": [
\t\t\t\t\t{ "type": "command", "command": "./check.sh \\"$1\\"", "timeout": 60 },
\t\t\t\t\t{ "type": "command", "command": "./log.sh", "statusMessage": "logging" }
\t\t\t\t]
\t\t\t}
\t\t],
\t\t"PostToolUse": [{ "hooks": [{ "type": "command", "command": "./after.sh", "timeout": 0.5 }] }],
\t\t"Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }]
\t},
}
`
    expect(await readAgentSettings(text, file)).toEqual({
      isReadable: true,
      lines: { defaultMode: 13, disableBypassPermissionsMode: 15 },
      allow: [
        { text: 'Bash(npm run test:*)', line: 8 },
        { text: 'Read(//tmp/**)', line: 9 },
      ],
      ask: [{ text: 'Bash(git push:*)', line: 11 }],
      deny: [
        { text: 'Read(./.env)', line: 12 },
        { text: 'WebFetch(domain:example.com)', line: 12 },
      ],
      defaultMode: 'acceptEdits',
      additionalDirectories: ['../docs/'],
      isBypassDisabled: true,
      hooks: [
        {
          event: 'PreToolUse',
          matcher: 'Bash|Edit',
          command: './check.sh "$1"',
          timeoutMs: 60_000,
          line: 23,
        },
        { event: 'PreToolUse', matcher: 'Bash|Edit', command: './log.sh', timeoutMs: undefined, line: 24 },
        { event: 'PostToolUse', matcher: '', command: './after.sh', timeoutMs: 500, line: 28 },
      ],
      problems: [],
      ignored: [
        { line: 4, key: 'model' },
        { line: 16, key: 'permissions.somethingElse' },
        { line: 24, key: 'hooks.PreToolUse[0].hooks[1].statusMessage' },
        { line: 29, key: 'hooks.Stop' },
      ],
    })
  })

  it.each(['', '{}', '\ufeff{}', '// nothing\n', '{ "permissions": {}, "hooks": {} }'])(
    '%j holds nothing',
    async (text) => {
      expect(await readAgentSettings(text, file)).toEqual(nothing)
    },
  )

  it.each<[string, string, { line: number; message: string }]>([
    ['no object', '[]', { line: 1, message: 'the file must hold an object' }],
    [
      'a rule that is no text',
      '{ "permissions": {\n"deny": ["a",\n7] } }',
      { line: 3, message: 'permissions.deny[1] must be a text that is not empty' },
    ],
    [
      'rules that are no list',
      '{ "permissions": {\n"deny": "Bash" } }',
      { line: 2, message: 'permissions.deny must be a list' },
    ],
    [
      'rules outside of "permissions"',
      '{\n"deny": ["Bash"] }',
      { line: 2, message: '"deny" has no effect here; move it into "permissions"' },
    ],
    [
      'a key that stands twice',
      '{ "permissions": {\n"deny": ["a"],\n"deny": ["b"] } }',
      { line: 3, message: 'duplicate key "deny"; it already stands on line 2' },
    ],
    [
      'a hook of another type',
      '{ "hooks": { "PreToolUse": [{ "hooks": [\n{ "type": "prompt", "prompt": "?" }] }] } }',
      { line: 2, message: 'a hook of type "prompt" cannot be taken over; only "command" can' },
    ],
    [
      'a hook without a command',
      '{ "hooks": { "PreToolUse": [{ "hooks": [\n{ "type": "command" }] }] } }',
      { line: 2, message: 'hooks.PreToolUse[0].hooks[0].command must be a text that is not empty' },
    ],
    [
      'a hook that runs something else than its command',
      '{ "hooks": { "PreToolUse": [{ "hooks": [{ "type": "command", "command": "x",\n"args": ["y"] }] }] } }',
      { line: 2, message: 'a hook with "args" cannot be taken over; write it into the command' },
    ],
    [
      'a matcher that is no text',
      '{ "hooks": { "PreToolUse": [{\n"matcher": ["Bash"], "hooks": [] }] } }',
      { line: 2, message: 'a matcher must be a text, such as "Bash|Edit"' },
    ],
    [
      'a group without hooks',
      '{ "hooks": {\n"PreToolUse": [\n{ "matcher": "Bash" }] } }',
      { line: 3, message: 'hooks.PreToolUse[0].hooks must be a list' },
    ],
  ])('%s is a problem with its line', async (_what, text, problem) => {
    expect((await readAgentSettings(text, file)).problems).toEqual([problem])
  })

  it('a text that cannot be parsed has problems and nothing else', async () => {
    for (const text of [
      '{ "permissions": { "allow": ["a" "b"] } }',
      '{ "permissions": { "allow": ["a"',
      '{ "a": "b',
    ]) {
      const { problems, ...rest } = await readAgentSettings(text, file)
      expect(problems.length, text).toBeGreaterThan(0)
      expect({ ...rest, problems: [] }).toEqual({ ...nothing, isReadable: false })
    }
  })

  it('an invalid timeout is omitted with a problem; the hook stays', async () => {
    const text =
      '{ "hooks": { "PreToolUse": [{ "hooks": [{ "type": "command", "command": "x", "timeout": "60" }] }] } }'
    expect(await readAgentSettings(text, file)).toMatchObject({
      hooks: [{ command: 'x', timeoutMs: undefined }],
      problems: [{ message: 'a timeout must be a number of seconds above 0; it is left out' }],
    })
  })

  it('a disabled bypass with another value stays disabled', async () => {
    const text = '{ "permissions": { "disableBypassPermissionsMode": true } }'
    expect(await readAgentSettings(text, file)).toMatchObject({
      isBypassDisabled: true,
      problems: [{ message: '"disableBypassPermissionsMode" must be "disable"; it is read as if it were' }],
    })
  })

  it('hooks that are disabled as a whole are not imported', async () => {
    const text =
      '{ "hooks": { "PreToolUse": [{ "hooks": [{ "type": "command", "command": "x" }] }] },\n"disableAllHooks": true }'
    expect(await readAgentSettings(text, file)).toEqual({
      ...nothing,
      ignored: [
        { line: 1, key: 'hooks' },
        { line: 2, key: 'disableAllHooks' },
      ],
    })
  })
})
