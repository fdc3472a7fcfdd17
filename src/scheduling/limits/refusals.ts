import type { ToolError } from '../../contract/objects/tool-error.js'
import { errorMessage } from '../../platform/text/error-message.js'
import { isStoreError } from '../../storage/store-error.js'
import type { CallRow } from '../../storage/store.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'
import { toolError } from '../../pipeline/failures/tool-error.js'
import type { CompiledLimit } from './compile-limit.js'
import { countedBy, type CountedBy, type Need } from './need.js'

const AT_ONCE_RETRY_S = 1

export function rateLimited({ limit, tool, row }: Need, waitMs: number): ToolError {
  const seconds = waitMs / 1_000
  return toolError('rate_limited', {
    code: 'toolcrib.rate_limited',
    message: `The call was not made: there may be ${calls(limit.rate!.perMinute)} a minute ${whose(limit, tool, row)}. Try again in ${seconds} s.`,
    recoverability: 'retry_later',
    retryAfter: seconds,
    retrySafe: true,
    details: { limit: { by: limit.by, of: openOf(limit), per_minute: limit.rate!.perMinute } },
  })
}

export function tooManyAtOnce(limit: CompiledLimit, tool: CatalogTool, row: Readonly<CallRow>): ToolError {
  const most = limit.concurrent!
  return toolError('rate_limited', {
    code: 'toolcrib.too_many_at_once',
    message: `The call was not made: there may be ${calls(most)} at a time ${whose(limit, tool, row)}. Try again when one has ended.`,
    recoverability: 'retry_later',
    retryAfter: AT_ONCE_RETRY_S,
    retrySafe: true,
    details: { limit: { by: limit.by, of: openOf(limit), concurrent: most } },
  })
}

/** The budget of a run does not recover. */
export function budgetSpent({ limit, tool, row }: Need): ToolError {
  const most = limit.perRun!
  return toolError('rate_limited', {
    code: 'toolcrib.budget_spent',
    message: `The call was not made: this run has used up its ${calls(most)} ${whose(limit, tool, row)}${ofAgent(limit)}. Go on without it, or ask for a new session or a higher limit.`,
    recoverability: 'not_recoverable',
    retrySafe: false,
    details: {
      limit: {
        by: limit.by,
        of: openOf(limit),
        per_run: most,
        ...(limit.agent !== undefined && { agent: limit.agent }),
      },
    },
  })
}

export function circuitOpen(source: string, retryAfterMs: number): ToolError {
  const seconds = retryAfterMs / 1_000
  return toolError('dependency_unavailable', {
    code: 'toolcrib.circuit_open',
    message: `The call was not made: the source "${source}" has failed several times in a row and is left alone for now. Try again in ${seconds} s.`,
    recoverability: 'retry_later',
    retryAfter: seconds,
    retrySafe: true,
    details: { source },
  })
}

/** Without a count, no call is admitted. */
export function uncountable(error: unknown): ToolError {
  const message = errorMessage(error)
  return toolError('dependency_unavailable', {
    code: isStoreError(error) ? error.code : 'toolcrib.store_failed',
    message: `The call was not made, for it could not be counted under its limits: ${message}`,
    recoverability: 'retry_later',
    retrySafe: true,
  })
}

const calls = (count: number): string => (count === 1 ? '1 call' : `${count} calls`)

function ofAgent({ agent }: CompiledLimit): string {
  return agent === undefined ? '' : `, the max_calls_per_run of the agent "${agent}"`
}

/** The calls that a limit counts together with this one, as its caller may know them. */
export function limitedCalls(limit: CompiledLimit, tool: CatalogTool, row: Readonly<CallRow>): string {
  return `calls ${whose(limit, tool, row)}`
}

function whose(limit: CompiledLimit, tool: CatalogTool, row: Readonly<CallRow>): string {
  return describeCounted({ of: openOf(limit) }, countedBy(limit, tool, row))
}

/** Only the operator may see which tenants and actors a limit applies to. */
function openOf({ of }: CompiledLimit): CompiledLimit['of'] {
  const { tenant: _tenant, actor: _actor, ...open } = of
  return open
}

/** `of the tool "web.fetch" by "agent:planner"`. Dimensions that only restrict the limit are named by their patterns. */
export function describeCounted({ of }: Pick<CompiledLimit, 'of'>, values: CountedBy): string {
  const { tool, source, tenant, actor } = values
  const words: string[] = []
  if (typeof tool === 'string') words.push(`of the tool "${tool}"`)
  else if (of.tool) words.push(`of the tools ${of.tool.join(', ')}`)
  if (typeof source === 'string') words.push(`of the source "${source}"`)
  else if (of.source) words.push(`of the sources ${of.source.join(', ')}`)
  if (actor !== undefined) words.push(actor === null ? 'by callers without a name' : `by "${actor}"`)
  else if (of.actor) words.push(`by ${of.actor.join(', ')}`)
  if (typeof tenant === 'string') words.push(`in the tenant "${tenant}"`)
  else if (of.tenant) words.push(`in the tenants ${of.tenant.join(', ')}`)
  return words.join(' ')
}
