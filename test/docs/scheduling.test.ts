import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { root } from '../edges/cli/run-cli.js'

const page = readFileSync(`${root}docs/scheduling.md`, 'utf8')
const blocks = [...page.matchAll(/^```js\n([\s\S]*?)^```/gm)].map(([, code]) => code!)

/** What the page assumes: a crib with the tools that it names. */
const BEFORE = `
import { writeFile } from 'node:fs/promises'
import { createCrib, defineTool, memoryStore } from 'toolcrib'
const input = { jsonSchema: { type: 'object' } }
const tool = (namespace, name, isReadOnly) =>
  defineTool({ namespace, name, description: name, input, isReadOnly, isOpenWorld: false, execute: () => name })
const crib = await createCrib({
  store: memoryStore(),
  decider: () => ({ behavior: 'allow' }),
  tools: [
    tool('files', 'read', true),
    tool('files', 'write', false),
    tool('tests', 'run', false),
    tool('git', 'push', false),
  ],
})
const surface = await crib.surface({ scope: 'turn', session: 's' })
`

const AFTER = `
if (typeof batch !== 'undefined') console.log('all', (await batch).map(({ status }) => status).join(' '))
else await crib.add([write])
await crib.close()
`

async function run(code: string): Promise<string[]> {
  // A name that a snippet does not have must not be an error.
  const whole = `${BEFORE}${code}${code.includes('const batch') ? '' : 'var batch\n'}${AFTER}`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', whole], {
    cwd: root,
  })
  return stdout.trimEnd().split('\n')
}

it('the snippets of docs/scheduling.md run as they are', async () => {
  expect(blocks).toHaveLength(3)
  const [batch, locks, streamed] = await Promise.all(blocks.map(run))
  const results = batch!.filter((line) => /^\d succeeded$/.test(line))
  expect(results).toEqual(['0 succeeded', '1 succeeded', '2 succeeded', '3 succeeded', '4 succeeded'])
  expect(batch).toContain('2 tool.invocation.queued')
  expect(locks).toEqual([''])
  expect(streamed).toEqual(['all succeeded succeeded succeeded'])
})
