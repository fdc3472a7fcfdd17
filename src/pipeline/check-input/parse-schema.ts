import type { Issue, Validated } from '../../platform/validation/validated.js'
import { misspelledNames } from '../../platform/validation/misspelled-names.js'
import type { ToolError } from '../../contract/objects/tool-error.js'
import type { CatalogTool, PreparedTool } from '../../catalog/catalog-tool.js'
import { toolRef } from '../../catalog/records/tool-records.js'
import { cleanText } from '../secrets/clean.js'
import { moveTo, record } from '../record.js'
import type { CheckRun } from './check-ports.js'
import { inputOf, type CallState } from '../call-state.js'
import { changeInput } from '../input/change-input.js'
import { snapshotJson } from '../../platform/json/snapshot-json.js'
import { sameJson } from '../../platform/json/same-json.js'
import { hasPath } from './field-paths.js'
import { prepareChecks } from './prepare-checks.js'
import { resolvePaths } from './resolve-paths.js'
import { proceed, stop, type Patch, type Step } from '../step.js'
import { toolError } from '../failures/tool-error.js'

/**
 * Checks the input against its schema, so that hooks and rules may rely on its shape. A changed input is checked
 * against the runtime's.
 */
export function parseSchema(call: CallState, run: CheckRun): Step | Promise<Step> {
  const tool = run.tool!
  if (call.inputProblem !== undefined) {
    return stop(
      toolError('schema_validation_failed', {
        code: 'toolcrib.input_not_json',
        message: `The input ${call.inputProblem}; send plain JSON.`,
      }),
    )
  }
  const check = checkFor(call, run)
  if (!check) return prepareFirst(tool, call, run)
  const { internalOnlyFields } = tool.draft.input
  if (internalOnlyFields.length > 0 && call.rounds === 0) {
    const smuggled = firstPathIn(call.source, internalOnlyFields)
    if (smuggled) return stop(internalField(smuggled))
  }
  const validated = check(call.source)
  return validated instanceof Promise ? concludeLater(call, run, validated) : conclude(call, run, validated)
}

async function prepareFirst(tool: CatalogTool, call: CallState, run: CheckRun): Promise<Step> {
  const problem = await prepareChecks(tool)
  return problem ? unusable(tool, problem) : parseSchema(call, run)
}

function firstPathIn(value: unknown, paths: readonly string[]): string | undefined {
  return paths.find((path) => hasPath(value, path))
}

async function concludeLater(call: CallState, run: CheckRun, validated: Promise<Validated>): Promise<Step> {
  return conclude(call, run, await validated)
}

/** The model's schema for the model's input, the runtime's for a changed input. Absent before the first call. */
export function checkFor(call: CallState, run: CheckRun): PreparedTool['model'] {
  const { prepared } = run.tool!
  return call.rounds === 0 ? prepared.model : prepared.runtime
}

function internalField(path: string): ToolError {
  return toolError('schema_validation_failed', {
    code: 'toolcrib.internal_field',
    message: `The field "${path}" is filled in by the runtime; leave it out.`,
  })
}

function conclude(call: CallState, run: CheckRun, validated: Validated): Step {
  if (!validated.ok) return refused(call, run, validated.issues)
  run.parsedValue = validated.value
  run.parsedFrom = call.source
  run.isInputUnchecked = validated.unchecked === true
  const patch = takeParsed(call, run, validated.value)
  if (run.row.status === 'arguments_ready') record(run, 'tool.invocation.arguments_ready', undefined, run.at)
  else moveTo(run, 'arguments_ready', 'tool.invocation.arguments_ready', undefined, run.at)
  return proceed(patch)
}

function refused(call: CallState, run: CheckRun, issuesOfSchema: readonly Issue[]): Step {
  const found = [...misspelledNames(run.tool!.draft.input.modelSchema, call.source), ...issuesOfSchema]
  const issues = found.map(({ path, message }) => ({
    path,
    message: cleanText(message, run),
  }))
  return stop(
    toolError('schema_validation_failed', {
      message: `The arguments do not fit the schema: ${sentenceOf(issues)}`,
      details: { issues },
    }),
  )
}

/**
 * A schema's transforms and defaults make a new input. A value that is more than JSON is kept beside it for the
 * executor.
 */
function takeParsed(call: CallState, run: CheckRun, value: unknown): Patch | undefined {
  const input = inputOf(call, 'call')
  if (value === input || sameJson(input, value)) return undefined
  const snapshot = snapshotJson(value)
  // A value that JSON cannot hold (a Map, a class) stays in this process; another one parses the source again.
  if ('notJson' in snapshot || sameJson(input, snapshot.value)) return undefined
  // After a change the paths are absolute already. The schema reads them as they were before, so this is no change.
  if (call.rounds > 0 && sameJson(input, resolvePaths(run, snapshot.value))) return undefined
  return changeInput(call, run, {
    input: snapshot.value,
    sourceType: 'adapter',
    sourceRef: toolRef(run.tool!, 'tool_interface'),
    reason: 'The schema fills in defaults and transforms values.',
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
