import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { createCrib, defineTool, memoryStore } from '../build/index.js'
import { builtinSource } from '../build/builtins.js'
import { findSandbox } from '../build/platform/sandbox/find-sandbox.js'

const { sandbox, problem } = await findSandbox()
if (!sandbox) console.log(`Python is not tested: ${problem}`)

const add = defineTool({
  namespace: 'math',
  name: 'add',
  description: 'Add two numbers.',
  input: {
    jsonSchema: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
      additionalProperties: false,
    },
  },
  isReadOnly: true,
  isOpenWorld: false,
  isConcurrencySafe: true,
  execute: ({ a, b }) => ({ sum: a + b }),
})

describe('Python code', { skip: sandbox ? false : problem }, () => {
  let crib
  let surface
  const server = createServer((socket) => socket.end())
  const run = (code) => crib.call(surface, { name: 'code.run', input: { code, language: 'python' } })

  before(async () => {
    const limits = { timeoutMs: 3_000, memoryMb: 32 }
    crib = await createCrib({ store: memoryStore(), tools: [add], sources: [builtinSource('code', limits)] })
    surface = await crib.surface()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  after(async () => {
    server.close()
    await crib.close()
  })

  it('calls tools and returns the value of its last expression', async () => {
    const { structured_content: output } = await run(`
import asyncio
print("adding")
sums = await asyncio.gather(*[tools.math.add(a=i, b=1) for i in range(20)])
sum(each["sum"] for each in sums)`)
    assert.deepEqual(output, { value: 210, calls: 20, log: 'adding\n' })
  })

  it('a failed call is an exception', async () => {
    const { structured_content: output } = await run(`
try:
    await call_tool("math.add", {"a": "x", "b": 1})
except ToolError as error:
    seen = error.error_class
seen`)
    assert.equal(output.value, 'schema_validation_failed')
  })

  for (const [title, code, errorClass, words] of [
    ['an endless loop', 'while True: pass', 'timeout', 'more than 3000 ms'],
    [
      'a memory bomb',
      'a = []\nwhile True: a.append("x" * 100000 + str(len(a)))',
      'execution_failed',
      '32 MB',
    ],
    ['an exception', 'a = 1\nb = a / 0', 'execution_failed', 'ZeroDivisionError: division by zero (line 2)'],
    ['a syntax error', 'for x in', 'execution_failed', 'cannot be parsed'],
    ['a value that is no JSON', 'object()', 'execution_failed', 'cannot be written as JSON'],
  ])
    it(`${title} ends as a clean error`, async () => {
      const { error } = await run(code)
      assert.equal(error.error_class, errorClass)
      assert.ok(error.message.includes(words), error.message)
    })

  // What code that has left Pyodide finds: the functions of the host lead to its constructors.
  const escape = (body) => `
async def attempt():
    try:
        return "did: " + str(await _call.constructor("return (async () => { ${body} })()")())
    except BaseException as error:
        return "failed: " + str(error)
await attempt()`

  it('can leave Pyodide: code of the host runs', async () => {
    const { structured_content: output } = await run(escape('return 1 + 1'))
    assert.equal(output.value, 'did: 2')
  })

  for (const [title, body] of [
    ['reads no file of the host', `return (await import('node:fs')).readFileSync('/etc/passwd', 'utf8')`],
    ['writes no file', `(await import('node:fs')).writeFileSync('/tmp/toolcrib-python-escape', 'x')`],
    ['starts no program', `return (await import('node:child_process')).execFileSync('id')`],
    [
      'opens no connection',
      `return await new Promise(async (resolve, reject) => (await import('node:net')).connect(PORT, '127.0.0.1', () => resolve('connected')).on('error', reject))`,
    ],
  ])
    it(`code that has left Pyodide ${title}`, async () => {
      const { structured_content: output } = await run(
        escape(body.replace('PORT', String(server.address().port))),
      )
      assert.match(output.value, /^failed: /)
    })
})
