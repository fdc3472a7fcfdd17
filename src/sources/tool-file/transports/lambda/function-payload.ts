import type { NativeFacts } from '../../../../catalog/native.js'
import type { ToolOutput } from '../../../../catalog/tool-output.js'
import type { JsonSchema } from '../../../../contract/json-schema.js'
import type { FunctionAnswer } from '../../../../credentials/cloud/function-call.js'
import { isObject } from '../../../../platform/json/is-object.js'
import { failure } from '../../../http/to-failure.js'
import type { LambdaTransport } from '../../compiled.js'
import { inOnlyField } from '../only-field.js'

type Input = Readonly<Record<string, unknown>>

/** Why an input cannot be sent as it is; undefined where it can. */
export function unsendable(input: Input): string | undefined {
  const given = Object.keys(input)
  if (given.length === 1) return undefined
  return `With the payload format raw the input must have exactly one field, and it has ${given.length}.`
}

/**
 * The payload of a call. `raw`: the value of the only field of the input, text as it is and everything else as JSON.
 */
export function toPayload(
  input: Input,
  format: LambdaTransport['payload_format'],
): { payload: string; contentType: string } {
  if (format === 'json') return { payload: JSON.stringify(input), contentType: 'application/json' }
  const [value] = Object.values(input)
  return typeof value === 'string'
    ? { payload: value, contentType: 'text/plain; charset=utf-8' }
    : { payload: JSON.stringify(value ?? null), contentType: 'application/json' }
}

export interface ExpectedOutput {
  readonly toolId: string
  readonly transport: LambdaTransport
  readonly output: JsonSchema
  readonly native: NativeFacts
}

/** What a function returned. With `raw`, a text goes into the only field of the output schema that can hold it. */
export function toFunctionOutput(
  { body }: FunctionAnswer,
  { toolId, transport, output, native }: ExpectedOutput,
): Pick<ToolOutput, 'structured' | 'content'> {
  const text = body.toString('utf8')
  const value = text === '' ? null : parse(text)
  if (transport.payload_format === 'raw' && !isObject(value)) {
    const structured = inOnlyField(output, text)
    return structured ? { structured } : { content: [{ type: 'text', text }] }
  }
  if (value !== undefined) return { structured: value }
  throw failure(`The answer of "${toolId}" cannot be read: it is not JSON; the call has run.`, {
    errorClass: 'execution_failed',
    code: 'toolcrib.server_refused',
    nothingHappened: false,
    native,
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
