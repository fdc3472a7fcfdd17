import { execFile, execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { toolFailure } from '../../src/pipeline/failures/describe-failure.js'
import { classifyFailure } from '../../src/pipeline/failures/classify-failure.js'
import { nativeErrorRef } from '../../src/pipeline/failures/native-error-ref.js'
import { createRedactor } from '../../src/redaction/redactor.js'

const redactor = createRedactor({ patterns: true })
const run = { secrets: ['hunter22hunter22'], redactor, redacted: undefined }
const refOf = (thrown: unknown): string | undefined => nativeErrorRef(thrown, run)

async function caught(act: () => unknown): Promise<unknown> {
  try {
    await act()
  } catch (error) {
    return error
  }
  throw new Error('It should have thrown.')
}

const exits = (code: number) => ['-e', `process.exit(${code})`]

class LeaseLost extends Error {}

const circle: Record<string, unknown> = { message: 'round' }
circle['cause'] = circle

const trap = new Proxy(
  {},
  {
    get() {
      throw new Error('no')
    },
  },
)

describe('the native error ref', () => {
  it.each<[string, () => unknown, string]>([
    ['a missing file', () => readFileSync('/does/not/exist'), 'ENOENT'],
    ['a wrong argument of Node', () => Buffer.alloc('x' as never), 'ERR_INVALID_ARG_TYPE'],
    ['an exit', () => promisify(execFile)(process.execPath, exits(3)), 'exit_code:3'],
    ['an exit, waited for', () => execFileSync(process.execPath, exits(4), { stdio: 'pipe' }), 'exit_code:4'],
    [
      'a signal',
      () => promisify(execFile)(process.execPath, ['-e', 'process.kill(process.pid, "SIGKILL")']),
      'signal:SIGKILL',
    ],
    ['a missing program', () => promisify(execFile)('/does/not/exist'), 'ENOENT'],
    ['a schema library', () => z.object({ n: z.number() }).parse({ n: 'x' }), 'ZodError:invalid_type'],
    ['invalid JSON', () => JSON.parse('{'), 'SyntaxError'],
    ['an abort', () => AbortSignal.abort().throwIfAborted(), 'AbortError'],
    ['an invalid URL', () => fetch('http://'), 'ERR_INVALID_URL'],
  ])('%s', async (_what, act, ref) => {
    expect(refOf(await caught(act))).toBe(ref)
  })

  it.each<[string, unknown, string | undefined]>([
    ['an HTTP status', Object.assign(new Error('x'), { status: 503 }), 'http_status:503'],
    ['a status in another field', Object.assign(new Error('x'), { statusCode: 404 }), 'http_status:404'],
    ['in the response', { name: 'AxiosError', code: 'E', response: { status: 500 } }, 'http_status:500'],
    ['a code in the cause', new TypeError('x', { cause: { code: 'EAI_AGAIN' } }), 'EAI_AGAIN'],
    [
      'a code two causes below',
      new Error('x', { cause: new Error('y', { cause: { code: 'EPIPE' } }) }),
      'EPIPE',
    ],
    [
      'several errors',
      new AggregateError([new Error('a'), Object.assign(new Error('b'), { code: 'ENETUNREACH' })]),
      'ENETUNREACH',
    ],
    ['several errors without a code', new AggregateError([new Error('a')]), 'AggregateError'],
    [
      'a number with its class',
      { name: 'MongoServerError', code: 11000, message: 'x' },
      'MongoServerError:11000',
    ],
    ['a database’s own code', Object.assign(new Error('x'), { code: '23505' }), '23505'],
    ['a class without a name of its own', new LeaseLost('x'), 'LeaseLost'],
    ['a plain error', new Error('x'), 'Error'],
    ['a text', 'x', 'thrown:string'],
    ['nothing', undefined, 'thrown:undefined'],
    ['null', null, 'thrown:null'],
    ['an object without a name', { message: 'x' }, 'thrown:object'],
    ['cyclic causes', circle, 'thrown:object'],
    ['an object whose getters throw', trap, 'thrown:object'],
    ['a failure of the tool', toolFailure('timeout', 'x'), undefined],
    ['with a code', toolFailure('timeout', 'x', { code: 'slow' }), 'slow'],
    [
      'with a cause',
      toolFailure('timeout', 'x', {
        code: 'slow',
        cause: Object.assign(new Error('y'), { code: 'ETIMEDOUT' }),
      }),
      'ETIMEDOUT',
    ],
  ])('%s', (_what, thrown, ref) => expect(refOf(thrown)).toBe(ref))

  it('holds no secret and is one line of limited length', () => {
    const ref = refOf(Object.assign(new Error('x'), { code: `bad\n${'y'.repeat(110)}hunter22hunter22` }))!
    expect(ref).toMatch(/^[\x20-\x7e]{1,120}$/)
    expect(ref).not.toContain('hunter')
  })
})

describe('the class of an unclassified failure', () => {
  it('a refused connection is an unavailable dependency', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    await new Promise((resolve) => server.close(resolve))
    const error = await caught(() => fetch(`http://127.0.0.1:${port}/`))
    expect(classifyFailure(error)).toEqual({ errorClass: 'dependency_unavailable' })
    expect(refOf(error)).toBe('ECONNREFUSED')
  })

  it('a closed connection and a timeout are unavailable dependencies', async () => {
    const server = createServer((socket) => socket.on('error', () => {}))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const late = await caught(() => fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(20) }))
    expect(classifyFailure(late)).toEqual({ errorClass: 'dependency_unavailable' })
    server.on('connection', (socket) => socket.destroy())
    const cut = await caught(() => fetch(`http://127.0.0.1:${port}/`))
    expect(classifyFailure(cut)).toEqual({ errorClass: 'dependency_unavailable' })
    server.close()
  })

  it.each<[string, unknown, object]>([
    ['429', { status: 429 }, { errorClass: 'rate_limited' }],
    [
      '429 with a wait',
      { status: 429, headers: { 'retry-after': '12' } },
      { errorClass: 'rate_limited', retryAfter: 12 },
    ],
    [
      '429 with a date',
      { status: 429, headers: { 'retry-after': 'Fri, 31 Dec 1999 23:59:59 GMT' } },
      { errorClass: 'rate_limited' },
    ],
    ['401', { response: { status: 401 } }, { errorClass: 'credential_missing' }],
    ['502', { statusCode: 502 }, { errorClass: 'dependency_unavailable' }],
    ['403', { status: 403 }, {}],
    ['404', { status: 404 }, {}],
    ['an exit code', { status: 1 }, {}],
    ['a missing file', { code: 'ENOENT' }, {}],
    ['cyclic causes', circle, {}],
    ['an object whose getters throw', trap, {}],
    ['a text', 'ECONNREFUSED', {}],
  ])('%s', (_what, thrown, found) => expect(classifyFailure(thrown)).toEqual(found))
})
