import { loadSchemaCompiler } from '../../../foundation/validation/compile-schema.js'
import type { Issue, Validated } from '../../../foundation/validation/validated.js'
import type { CatalogTool } from '../../../supply/catalog/catalog-tool.js'
import { scrubText } from '../../../foundation/redaction/scrub.js'
import { moveTo, type CallRun } from '../call-run.js'
import { inputOf, type CallState } from '../call-state.js'
import { changeInput } from '../change-input.js'
import { snapshotJson } from '../../../foundation/json/snapshot-json.js'
import { sameJson } from '../../../foundation/json/same-json.js'
import { proceed, stop, type Step } from '../step.js'
import { toolError } from '../tool-error.js'

/** Checks the input against its schema, so that hooks and rules may trust its shape. A changed input meets the runtime's schema. */
export function parseSchema(call: CallState, run: CallRun): Step | Promise<Step> {
  const tool = run.tool!
  if (call.inputProblem !== undefined) {
    return stop(
      toolError('schema_validation_failed', {
        code: 'toolcrib.input_not_json',
        message: `The input ${call.inputProblem}; send plain JSON.`,
      }),
    )
  }
  const check = call.rounds === 0 ? tool.prepared.model : tool.prepared.runtime
  if (!check)
    return prepareChecks(tool).then((problem) => (problem ? unusable(tool, problem) : parseSchema(call, run)))
  const input = inputOf(call, 'parsed')
  const validated = check(input)
  return validated instanceof Promise
    ? validated.then((settled) => conclude(call, run, input, settled))
    : conclude(call, run, input, validated)
}

function conclude(call: CallState, run: CallRun, input: unknown, validated: Validated): Step {
  if (!validated.ok) {
    return stop(
      toolError('schema_validation_failed', {
        message: scrubText(
          `The arguments do not fit the schema: ${sentenceOf(validated.issues)}`,
          run.secrets,
        ),
        details: {
          issues: validated.issues.map((issue) => ({
            ...issue,
            message: scrubText(issue.message, run.secrets),
          })),
        },
      }),
    )
  }
  const patch = validated.value === input ? undefined : takeParsed(call, run, input, validated.value)
  moveTo(run, 'arguments_ready', 'tool.invocation.arguments_ready')
  return proceed(patch)
}

/** A schema's transforms and defaults make a new input. What is more than JSON is kept beside it for the executor. */
function takeParsed(call: CallState, run: CallRun, input: unknown, value: unknown) {
  run.parsedValue = { of: call.parsed, value }
  if (sameJson(input, value)) return undefined
  const snapshot = snapshotJson(value)
  // What JSON cannot hold (a Map, a class) stays in this process; another one parses the input again.
  if ('notJson' in snapshot || sameJson(input, snapshot.value)) return undefined
  return changeInput(call, run, {
    input: snapshot.value,
    sourceType: 'adapter',
    sourceRef: `schema:${run.tool!.draft.input.vendor}`,
    reason: 'The schema fills in defaults and transforms values.',
    keepParsed: true,
  })
}

function sentenceOf(issues: readonly Issue[]): string {
  const parts = issues.slice(0, 3).map(({ path, message }) => (path === '' ? message : `${path} ${message}`))
  const rest = issues.length - parts.length
  return `${parts.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}.`
}

function unusable(tool: CatalogTool, problem: string): Step {
  return stop(
    toolError('setup_required', {
      code: 'toolcrib.schema_unusable',
      message: `The schema of "${tool.toolId}" cannot be used: ${problem}`,
      recoverability: 'not_recoverable',
    }),
  )
}

/** Compiles once, on the first call. Returns what is wrong with the schema, if anything. */
export async function prepareChecks(tool: CatalogTool): Promise<string | undefined> {
  const { input, output } = tool.draft
  try {
    const compiler = await loadSchemaCompiler()
    const model = input.validate ?? compiler.compile(input.modelSchema, { fillDefaults: input.fillDefaults })
    const whole = input.runtimeSchema ? compiler.compile(input.runtimeSchema) : undefined
    tool.prepared.runtime = whole ? checkParts(model, whole, input.internalOnlyFields) : model
    if (output.schema) tool.prepared.output = output.validate ?? compiler.compile(output.schema)
    tool.prepared.model = model
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

type Check = (value: unknown) => Validated | Promise<Validated>

/** The model's fields by the model's schema, then everything by the runtime's: internal fields pass only the second. */
function checkParts(model: Check, whole: Check, internalOnly: readonly string[]): Check {
  return async (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return model(value)
    const internal = Object.entries(value).filter(([key]) => internalOnly.includes(key))
    const shown = Object.fromEntries(Object.entries(value).filter(([key]) => !internalOnly.includes(key)))
    const checked = await model(shown)
    if (!checked.ok) return checked
    if (internal.length === 0) return whole(checked.value)
    return whole({ ...(checked.value as object), ...Object.fromEntries(internal) })
  }
}
