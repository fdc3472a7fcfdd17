// How long a preview of changed rules takes over the last 1,000 calls, among them shell commands and paths, and for how
// long it keeps other work from running.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createCrib, defineTool, sqliteStore } from 'toolcrib'

const CALLS = 1000
const ROUNDS = 5

const folder = mkdtempSync(join(tmpdir(), 'rules-preview-'))
const texts = (...names) => ({
  jsonSchema: {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  },
})
const tools = [
  defineTool({
    name: 'exec',
    namespace: 'shell',
    description: 'Runs.',
    input: texts('command'),
    command: 'command',
    execute: () => 1,
  }),
  defineTool({
    name: 'read',
    namespace: 'notes',
    description: 'Reads.',
    input: texts('path'),
    paths: { path: 'read' },
    execute: () => 1,
  }),
  defineTool({
    name: 'send',
    namespace: 'mail',
    description: 'Sends.',
    input: texts('to', 'text'),
    execute: () => 1,
  }),
]
const inputs = [
  (n) => [
    'shell.exec',
    { command: `cd src && git diff HEAD~${n} -- file-${n}.ts | grep -n "word ${n}" > out-${n}.txt` },
  ],
  (n) => ['notes.read', { path: `./notes/${n % 50}/page-${n}.md` }],
  (n) => ['mail.send', { to: `person-${n}@example.com`, text: 'A text of some length. '.repeat(20) }],
]
const crib = await createCrib({
  store: sqliteStore({ path: join(folder, 'crib.db') }),
  tools,
  workspace: folder,
  permission: { allow: ['shell.exec', 'notes.read', 'mail.send'], deny: ['Read(.env)', 'Bash(rm *)'] },
})
const surface = await crib.surface({ actor: 'ada', session: 's1' })
for (let n = 0; n < CALLS; n++) {
  const [name, input] = inputs[n % inputs.length](n)
  await crib.call(surface, { name, input })
}
const changes = {
  add: [
    { behavior: 'deny', rule: 'Bash(git diff *)' },
    { behavior: 'ask', rule: 'mail.send(to ~ *7@example.com)' },
  ],
  remove: [{ behavior: 'allow', rule: 'notes.read' }],
}
const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
for (let round = 0; round < ROUNDS; round++) {
  delay.reset()
  const start = performance.now()
  const { examined, changed } = await crib.policy.preview(changes)
  const ms = performance.now() - start
  console.log(
    `${examined} calls examined, ${changed.length} changed: ${ms.toFixed(0)} ms, longest stall ${(delay.max / 1e6).toFixed(1)} ms`,
  )
}
await crib.close()
rmSync(folder, { recursive: true, force: true })
