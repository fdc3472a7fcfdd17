import { describe, expect, it } from 'vitest'
import { findSandbox } from '../../../src/platform/sandbox/find-sandbox.js'
import { runPython } from '../../../src/sources/builtins/code/run-python.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const { sandbox, problem } = await findSandbox()
if (!sandbox) console.log(`skipped: ${problem}`)

/** Runs a module in the place of Pyodide: what code can do that has taken over its process. */
async function runTakenOver(attack: string): Promise<unknown> {
  const pyodide = join(temporaryFolder(), 'pyodide.mjs')
  const say = `const say = (text) => process.stdout.write(text + '\\n')`
  const wait = 'await new Promise((resolve) => setTimeout(resolve, 30_000))'
  writeFileSync(
    pyodide,
    `${say}\nexport async function loadPyodide() {\nsay('{"kind":"ready"}')\n${attack}\n${wait} }`,
  )
  return runPython(
    {
      code: '',
      memoryMb: 16,
      timeoutMs: 1000,
      signal: new AbortController().signal,
      call: async () => ({ value: null }),
      log: () => {},
    },
    { pyodide, sandbox: sandbox!, hidden: [] },
  )
}

describe.skipIf(!sandbox)('a process of Python that code has taken over', () => {
  it.each([
    ['no JSON', `say('garbage')`],
    ['no object', `say('null')`],
    ['no known kind', `say('{"kind":"other"}')`],
    ['a call without JSON', `say('{"kind":"call","id":1,"name":"a","json":"{"}')`],
    ['a value without JSON', `say('{"kind":"value","json":"{"}')`],
    ['no text to print', `say('{"kind":"log","text":5}')`],
    ['an unknown problem', `say('{"kind":"problem","problem":"other","message":""}')`],
    ['an endless line', `for (let n = 0; n < 100; n++) process.stdout.write('x'.repeat(1024 * 1024))`],
  ])('ends the run with a message that is %s', async (_, attack) => {
    expect(await runTakenOver(attack)).toMatchObject({ kind: 'problem', problem: 'thrown' })
  })

  it('does not start the clock of the run anew', async () => {
    const attack = `setInterval(() => say('{"kind":"ready"}'), 100)`
    expect(await runTakenOver(attack)).toMatchObject({ kind: 'problem', problem: 'time' })
  })
})
