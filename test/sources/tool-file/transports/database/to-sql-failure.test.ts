import { describe, expect, it } from 'vitest'
import { errorCodes, type ErrorCode } from '../../../../../src/contract/error-codes.js'
import { engines } from '../../../../../src/sources/tool-file/transports/database/engines/engines.js'
import {
  networkProblem,
  type SqlProblemKind,
} from '../../../../../src/sources/tool-file/transports/database/sql-problem.js'
import { toSqlFailure } from '../../../../../src/sources/tool-file/transports/database/to-sql-failure.js'

const CALL = {
  toolId: 'work',
  title: 'PostgreSQL',
  isReadOnly: false,
  wasSent: true,
  native: { source: 'aml' },
}

interface Failure extends Error {
  errorClass: string
  code: ErrorCode
  nothingHappened: boolean
  needsOtherArguments?: boolean
  native: { error: Record<string, unknown> }
}

const failed = (kind: SqlProblemKind, more = {}): Failure =>
  toSqlFailure({ kind, code: '12345', words: 'words of canary' }, { ...CALL, ...more }) as Failure

const KINDS: [SqlProblemKind, string, boolean, boolean][] = [
  ['login', 'credential_missing', true, false],
  ['unreachable', 'dependency_unavailable', true, false],
  ['tls', 'setup_required', true, false],
  ['lost', 'execution_failed', false, false],
  ['busy', 'rate_limited', true, false],
  ['permission', 'execution_failed', true, true],
  ['read_only', 'setup_required', true, false],
  ['statement', 'setup_required', true, false],
  ['values', 'execution_failed', true, true],
  ['conflict', 'execution_failed', true, false],
  ['timeout', 'timeout', false, false],
  ['canceled', 'timeout', false, false],
  ['other', 'execution_failed', false, false],
]

describe('a problem of a database as a failure', () => {
  it.each(KINDS)('%s', (kind, errorClass, nothingHappened, needsOtherArguments) => {
    const failure = failed(kind)
    expect(failure.errorClass).toBe(errorClass)
    expect(failure.nothingHappened).toBe(nothingHappened)
    expect(failure.needsOtherArguments ?? false).toBe(needsOtherArguments)
    expect(errorCodes[failure.code].errorClasses).toContain(errorClass)
    expect(failure.native.error).toMatchObject({ code: '12345', kind })
    expect(failure.message).toContain('12345')
    expect(failure.message).toMatch(/\.$/)
  })

  it('a lost connection changes nothing where the call only reads, or has sent nothing', () => {
    for (const more of [{ isReadOnly: true }, { wasSent: false }]) {
      const { errorClass, nothingHappened } = failed('lost', more)
      expect({ errorClass, nothingHappened }).toEqual({
        errorClass: 'dependency_unavailable',
        nothingHappened: true,
      })
    }
  })

  it('has no words of the server about a connection', () => {
    for (const kind of ['login', 'unreachable', 'tls'] as const)
      expect(JSON.stringify([failed(kind).message, failed(kind).native])).not.toContain('canary')
    expect(failed('values').message).toContain('words of canary')
  })
})

describe('an error of a socket', () => {
  it.each([
    [Object.assign(new Error(), { code: 'ECONNREFUSED' }), 'unreachable'],
    [Object.assign(new Error(), { code: 'SELF_SIGNED_CERT_IN_CHAIN' }), 'tls'],
    [
      Object.assign(new Error(), { errors: [Object.assign(new Error(), { code: 'ENOTFOUND' })] }),
      'unreachable',
    ],
    [new Error('x', { cause: Object.assign(new Error(), { code: 'ECONNRESET' }) }), 'lost'],
  ])('%# is known on every engine', (error, kind) => {
    expect(networkProblem(error)?.kind).toBe(kind)
    for (const engine of Object.values(engines)) expect(engine.explain(error).kind).toBe(kind)
  })

  it('an unknown error is another', () => {
    for (const engine of Object.values(engines)) {
      expect(engine.explain(new Error('canary')).kind).toBe('other')
      expect(JSON.stringify(engine.explain(new Error('canary')))).not.toContain('canary')
      expect(engine.explain('text').kind).toBe('other')
    }
  })
})
