import { databaseTransport } from '../../build/sources/tool-file/transports/database/database-transport.js'
import { createLiveSecrets } from '../../build/redaction/live-secrets.js'

export const TEXT = { type: 'string' }
export const INTEGER = { type: 'integer' }

export const object = (properties, more = {}) => ({ type: 'object', properties, ...more })

/** A list of rows with the given columns, and their number. */
export const rowsOf = (properties) =>
  object({ rows: { type: 'array', items: object(properties) }, row_count: INTEGER })

/** The credentials of a database whose connection is in the variable DB. */
export const fromVariable = {
  scheme: 'service-account',
  settings: { kind: 'secret', scheme: 'service-account', secret: { source: 'env', name: 'DB' } },
}

/** A transport as the source of tool files has it. `connection` becomes the variable DB. */
export function openTransport(engine, { connection, credentials = fromVariable, code = {}, limits, env }) {
  const live = createLiveSecrets()
  const variables = { DB: JSON.stringify(connection), ...env }
  const problems = []
  const transport = databaseTransport(
    {
      entry: 'shop',
      env: variables,
      live,
      codeFor: async (id) => code[id],
      now: Date.now,
      onProblem: (message) => problems.push(message),
    },
    limits,
  )
  const open = (
    sql,
    { type = 'retrieval', input = object({}), output = rowsOf({}), timeoutMs, ...more } = {},
  ) =>
    transport.open({
      toolId: 'work',
      type,
      input,
      output,
      sql,
      errorCodes: {},
      transport: {
        type: 'database',
        engine,
        query_method: sql === undefined ? 'orm' : 'parameterised-sql',
        credentials,
        ...(timeoutMs !== undefined && { timeout_ms: timeoutMs }),
      },
      ...more,
    })
  return { transport, open, variables, live, problems, close: () => transport.close() }
}

/** What an executor gets, as far as transports use it. */
export function contextOf(signal = new AbortController().signal) {
  return {
    signal,
    stopSignal: signal,
    progress() {},
    hide() {},
    invocationId: 'inv_1',
    idempotencyKey: 'inv_1',
  }
}

/** Calls a tool and returns its output as data, also where it is a stream. */
export async function call(tool, input = {}, signal) {
  const output = await tool.call(input, contextOf(signal))
  if (!output.stream) return output
  let text = ''
  for await (const chunk of output.stream) text += chunk
  return { ...output, structured: JSON.parse(text) }
}

/** The class, code and message of a failure, with the engine's own code. */
export async function failureOf(promise) {
  try {
    await promise
  } catch (error) {
    const { errorClass, code, message, native, nothingHappened, needsOtherArguments } = error
    return {
      errorClass,
      code,
      message,
      native: native?.error?.code,
      nothingHappened,
      needsOtherArguments,
      error,
    }
  }
  throw new Error('it worked')
}
