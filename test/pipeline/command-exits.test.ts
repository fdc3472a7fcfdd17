import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeEach, describe, expect, it } from 'vitest'
import { defineHook, defineTool, toolFailure, toolOutput, type CribOptions, type HookAnswer } from 'toolcrib'
import { schemas, toEmitSchema } from '../../src/contract/index.js'
import { collect, onBothStores, openCrib, shownText } from '../scenarios/open-crib.js'
import { temporaryFolder } from '../temporary-folder.js'

const isResult = new Ajv2020({ allowUnionTypes: true }).compile(toEmitSchema(schemas.tool_result))

interface Ended {
  exit_code: number
  stdout: string
  stderr: string
}

let folder: string

beforeEach(() => {
  folder = temporaryFolder()
  mkdirSync(join(folder, 'sub'))
  writeFileSync(join(folder, 'a.txt'), 'alpha\n')
})

const run = promisify(execFile)

/** Runs a fixed command of these tests in a real shell. */
const throwing = ({ command }: { command: string }) => run('sh', ['-c', command], { cwd: folder })

async function returning(input: { command: string }): Promise<Ended> {
  try {
    return { exit_code: 0, ...(await throwing(input)) }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { exit_code: code, stdout, stderr }
  }
}

const input = {
  jsonSchema: {
    type: 'object',
    properties: { command: { type: 'string' } },
    required: ['command'],
    additionalProperties: false,
  },
} as const

function shell(execute: (input: { command: string }) => unknown, more: object = {}) {
  return defineTool({
    name: 'sh',
    description: 'Runs a command.',
    input,
    command: 'command',
    isReadOnly: true,
    execute: execute as never,
    ...more,
  })
}

onBothStores('a tool that declares the path of its exit code', (newStore) => {
  async function call(command: string, more: object = {}, options: CribOptions = {}, execute = returning) {
    const tools = [shell(execute as never, { exitCode: 'exit_code', ...more })]
    const crib = await openCrib({ store: newStore(), tools, ...options })
    const made = crib.call(await crib.surface({ scope: 'turn' }), { name: 'sh', input: { command } })
    const result = await made
    expect(isResult(result), JSON.stringify(isResult.errors)).toBe(true)
    return { crib, result, invocation: (await crib.invocation(made.invocationId))! }
  }

  it.each<[string, number, string]>([
    ['grep zzz a.txt', 1, 'nothing_found'],
    ['cat a.txt | grep zzz', 1, 'nothing_found'],
    ['cd sub && ! test -f a.txt && grep zzz ../a.txt', 1, 'condition_false'],
    ['cd sub && grep zzz ../a.txt', 1, 'nothing_found'],
    ['cmp -s a.txt /dev/null', 1, 'differs'],
    ['test -f missing', 1, 'condition_false'],
  ])('succeeds if the code is an answer: %s', async (command, code, meaning) => {
    const { result, invocation } = await call(command)
    expect(result).toMatchObject({
      status: 'succeeded',
      is_error: false,
      structured_content: { exit_code: code },
      toolcrib: { exit: { code, meaning } },
    })
    expect(result).not.toHaveProperty('error')
    expect(invocation.status).toBe('succeeded')
  })

  it('fails with its output if the code is a failure', async () => {
    const { result, invocation, crib } = await call('echo before; grep zzz missing')
    expect(result).toMatchObject({
      status: 'failed',
      is_error: true,
      structured_content: { exit_code: 2, stdout: 'before\n' },
      error: {
        error_class: 'execution_failed',
        error_code: 'toolcrib.exit_code',
        recoverability: 'inspect_first',
        native_error_ref: 'exit_code:2',
      },
      toolcrib: { exit: { code: 2, meaning: 'failure' } },
    })
    expect(JSON.parse(result.content![0]!.text!)).toEqual(result.structured_content)
    expect(result.error!.message).toMatch(
      /^The command ended with exit code 2, which counts as a failure\. The last it said:\ngrep: missing:/,
    )
    expect(result.model_facing_content!.map(({ text }) => text)).toEqual([
      result.error!.message,
      expect.stringMatching(/^Read its output/),
      result.content![0]!.text,
    ])
    expect(invocation.status).toBe('failed')
    expect(await crib.result(invocation.invocation_id)).toEqual(result)
    expect(Object.isFrozen(result.toolcrib!['exit'])).toBe(true)
  })

  it('puts only the last lines of stderr into the error message', async () => {
    const { result } = await call(
      'i=0; while [ $i -lt 500 ]; do echo "line $i" >&2; i=$((i + 1)); done; exit 3',
    )
    expect(result.error!.message).toContain('line 499')
    expect(result.error!.message).not.toContain('line 400\n')
    expect((result.structured_content as Ended).stderr).toContain('line 0\n')
  })

  it('succeeds in part if find could not read one of its folders', async () => {
    const { result, invocation } = await call('find . missing -name a.txt')
    expect(result).toMatchObject({
      status: 'partial_succeeded',
      is_error: false,
      structured_content: { stdout: './a.txt\n' },
      error: { error_class: 'partial_failure', message: expect.stringContaining('find could not look') },
      toolcrib: { exit: { code: 1, meaning: 'partly' } },
    })
    expect(invocation.status).toBe('succeeded')
  })

  it('fails if find could read none of its folders', async () => {
    expect((await call('find missing -name a.txt')).result).toMatchObject({
      status: 'failed',
      toolcrib: { exit: { code: 1, meaning: 'failure' } },
    })
    const mixed = async () => ({ exit_code: 1, stdout: 'find: missing: No such file or directory\n' })
    expect((await call('find missing', {}, {}, mixed as never)).result).toMatchObject({ status: 'failed' })
  })

  it('has no exit in its result if the code is zero or absent', async () => {
    expect((await call('true')).result.toolcrib).not.toHaveProperty('exit')
    const started = await call('sleep 9', {}, {}, (async () => ({ task_id: 't1' })) as never)
    expect(started.result).toMatchObject({ status: 'succeeded' })
    expect(started.result.toolcrib).not.toHaveProperty('exit')
  })

  it.each([null, '1', 1.5])('fails if the code is %j, which is no exit code', async (code) => {
    const { result } = await call('grep zzz a.txt', {}, {}, (async () => ({ exit_code: code })) as never)
    expect(result).toMatchObject({
      status: 'failed',
      error: {
        error_code: 'toolcrib.exit_code',
        message: 'The command ended without an exit code, which counts as a failure.',
      },
      toolcrib: { exit: { code: null, meaning: 'failure' } },
    })
  })

  it('may nest the code and stderr in its output', async () => {
    const deep = async (given: { command: string }) =>
      toolOutput({ structured: { run: await returning(given) }, content: [{ type: 'text', text: 'ran' }] })
    const more = { exitCode: 'run.exit_code' }
    expect((await call('cd sub && grep zzz ../a.txt', more, {}, deep as never)).result).toMatchObject({
      status: 'succeeded',
      toolcrib: { exit: { meaning: 'nothing_found' } },
    })
    const { result } = await call('cd missing && grep zzz a.txt', more, {}, deep as never)
    expect(result).toMatchObject({ status: 'failed', content: [{ text: 'ran' }] })
    expect(result.error!.message).toContain('missing')
  })

  it('interprets the code by the command that ran, not by the requested one', async () => {
    const hook = defineHook({
      id: 'other',
      event: 'pre_tool_use',
      run: () => ({ updatedInput: { command: 'sh -c "exit 1"' } }),
    })
    const { result } = await call('grep zzz a.txt', {}, { hooks: [hook] })
    expect(result).toMatchObject({ status: 'failed', toolcrib: { exit: { code: 1, meaning: 'failure' } } })
  })

  it('redacts secrets in the error message', async () => {
    const execute = (given: { command: string }) => returning(given)
    const more = {
      input: {
        jsonSchema: {
          type: 'object',
          properties: { command: { type: 'string' }, token: { type: 'string' } },
        },
      },
      sensitiveFields: ['token'],
    }
    const tools = [shell(execute, { exitCode: 'exit_code', ...more })]
    const crib = await openCrib({ store: newStore(), tools })
    const result = await crib.call(await crib.surface({ scope: 'turn' }), {
      name: 'sh',
      input: { command: 'echo "no access for hunter2secret" >&2; exit 4', token: 'hunter2secret' },
    })
    expect(result.error!.message).toContain('no access for')
    expect(JSON.stringify(result)).not.toContain('hunter2secret')
  })

  it('still fails if its output is stored by reference', async () => {
    const { result } = await call(
      'i=0; while [ $i -lt 300 ]; do echo "some output of the command $i"; i=$((i + 1)); done; exit 7',
      { maxInlineChars: 1000 },
    )
    expect(result).toMatchObject({
      status: 'failed',
      is_error: true,
      error: { error_code: 'toolcrib.exit_code' },
      toolcrib: { exit: { code: 7 } },
    })
    expect(shownText(result)).toContain('exit code 7')
    expect(JSON.stringify(result).length).toBeLessThan(5000)
    expect(result.persistence_refs).toHaveLength(1)
  })

  it('shows its output to failure hooks, which cannot replace it', async () => {
    const seen: unknown[] = []
    const hook = defineHook({
      id: 'look',
      event: 'post_tool_use_failure',
      run: ({ output, error }) => {
        seen.push({ output, error })
        return { updatedOutput: { exit_code: 0 }, additionalContext: 'noted' }
      },
    })
    const { result } = await call('exit 9', {}, { hooks: [hook] })
    expect(seen).toMatchObject([{ output: { exit_code: 9 }, error: { error_class: 'execution_failed' } }])
    expect(result).toMatchObject({
      status: 'failed',
      structured_content: { exit_code: 9 },
      toolcrib: { exit: { code: 9 }, additional_context: ['noted'] },
    })
  })

  describe('and its persistence', () => {
    const persistenceHook = (persistence: HookAnswer['persistence']) =>
      defineHook({ id: 'keep', event: 'result_persistence', run: () => ({ persistence }) })

    it.each<[string, HookAnswer['persistence']]>([
      ['dropped', { strategy: 'drop_with_reason', reason: 'private' }],
      ['redacted', { strategy: 'redact', reason: 'private' }],
      ['not kept', { strategy: 'never_persist', reason: 'private' }],
    ] as never)('is decided for failures too: %s', async (_what, persistence) => {
      const { crib, result } = await call(
        'echo top-private-words >&2; exit 5',
        {},
        { hooks: [persistenceHook(persistence)] },
      )
      expect(result).toMatchObject({ is_error: true, toolcrib: { exit: { code: 5 } } })
      const log = JSON.stringify(await collect(crib.events()))
      // The command itself is in the recorded input; its stderr must be in no other record.
      const kept = (await crib.result(result.invocation_id))!
      expect(JSON.stringify(kept)).not.toContain('top-private-words')
      expect(log.split('top-private-words').length).toBe(log.split('echo top-private-words').length)
    })
  })
})

onBothStores('a tool that throws Node’s error for a command', (newStore) => {
  async function call(
    command: string,
    execute: (given: { command: string }) => unknown = throwing,
    more: object = {},
  ) {
    const crib = await openCrib({ store: newStore(), tools: [shell(execute, more)] })
    return crib.call(await crib.surface({ scope: 'turn' }), { name: 'sh', input: { command } })
  }
  const atOnce = ({ command }: { command: string }) =>
    execFileSync('sh', ['-c', command], { cwd: folder, stdio: 'pipe' }).toString()
  async function* stepwise(given: { command: string }) {
    yield 'on the way'
    return await throwing(given)
  }

  it.each<[string, (given: { command: string }) => unknown]>([
    ['execFile', throwing],
    ['execFileSync', atOnce],
    ['execFile in a generator', stepwise],
  ])('succeeds if the code is an answer: %s', async (_what, execute) => {
    const result = await call('echo first; grep zzz a.txt', execute)
    expect(result).toMatchObject({
      status: 'succeeded',
      is_error: false,
      structured_content: { exit_code: 1, stdout: 'first\n', stderr: '' },
      toolcrib: { exit: { code: 1, meaning: 'nothing_found' } },
    })
  })

  it('gets an output with the code at the declared path', async () => {
    expect(await call('grep zzz a.txt', throwing, { exitCode: 'run.status' })).toMatchObject({
      structured_content: { run: { status: 1, stdout: '', stderr: '' } },
      toolcrib: { exit: { code: 1, meaning: 'nothing_found' } },
    })
    expect(await call('find . missing -name a.txt')).toMatchObject({ status: 'partial_succeeded' })
  })

  it('fails if the code is a failure, and the code is recorded', async () => {
    const result = await call('grep zzz missing')
    expect(result).toMatchObject({
      status: 'failed',
      error: { error_code: 'toolcrib.execution_failed', native_error_ref: 'exit_code:2' },
      toolcrib: { exit: { code: 2, meaning: 'failure' } },
    })
    expect(result.error!.message).toContain('grep: missing')
  })

  it('fails if the output made from the error does not fit the tool’s schema or mapping', async () => {
    const lines = { jsonSchema: { type: 'object', required: ['lines'] } } as const
    const checked = await call('grep zzz a.txt', throwing, { output: lines })
    const mapped = await call('grep zzz a.txt', throwing, {
      toModel: ({ lines: found }: { lines: string[] }) => found.join('\n'),
    })
    for (const result of [checked, mapped]) {
      expect(result).toMatchObject({
        status: 'failed',
        error: { error_class: 'execution_failed', native_error_ref: 'exit_code:1' },
        toolcrib: { exit: { code: 1, meaning: 'failure' } },
      })
    }
    const fitting = { jsonSchema: { type: 'object', required: ['exit_code', 'stdout'] } } as const
    expect(await call('grep zzz a.txt', throwing, { output: fitting })).toMatchObject({ status: 'succeeded' })
  })

  it.each<[string, () => unknown]>([
    [
      'was killed',
      () => Object.assign(new Error('x'), { code: 1, signal: 'SIGTERM', stdout: '', stderr: '' }),
    ],
    [
      'was killed by its executor’s timeout',
      () => Object.assign(new Error('x'), { code: 1, killed: true, signal: null, stdout: '', stderr: '' }),
    ],
    ['error has no stdout and stderr', () => Object.assign(new Error('x'), { code: 1 })],
    [
      'error has a class of its own',
      () => Object.assign(toolFailure('rate_limited', 'x'), { status: 1, stdout: '', stderr: '' }),
    ],
    ['could not be started', () => Object.assign(new Error('x'), { code: 'ENOENT', stdout: '', stderr: '' })],
  ])('fails if the command %s', async (_what, thrown) => {
    const result = await call('grep zzz a.txt', () => {
      throw thrown()
    })
    expect(result).toMatchObject({ status: 'failed', is_error: true })
    expect(result.toolcrib).not.toHaveProperty('exit')
  })

  it('fails if it declares no command field', async () => {
    const tool = defineTool({
      name: 'sh',
      description: 'S.',
      input,
      isReadOnly: true,
      isOpenWorld: false,
      execute: throwing as never,
    })
    const crib = await openCrib({ store: newStore(), tools: [tool] })
    const result = await crib.call(await crib.surface({ scope: 'turn' }), {
      name: 'sh',
      input: { command: 'grep zzz a.txt' },
    })
    expect(result).toMatchObject({ status: 'failed', error: { error_code: 'toolcrib.execution_failed' } })
  })
})

describe('a tool with an invalid exitCode is refused', () => {
  it.each<[object, string]>([
    [{ exitCode: 'exit_code', command: undefined }, '"exitCode" but no "command"; name the field'],
    [{ exitCode: 7 }, '"exitCode" must be a text, not the number 7'],
    [
      { exitCode: 'exitcode', output: { jsonSchema: { type: 'object', properties: { exit_code: {} } } } },
      'names the field "exitcode", which its schema does not have; did you mean "exit_code"?',
    ],
  ])('%j', (more, message) => {
    expect(() => shell(() => 1, more)).toThrow(message)
  })
})
