import type { JsonObject } from '../protocol/json-rpc.js'
import type { FactRules } from '../../../catalog/tool-draft.js'

export interface HintedFacts {
  readonly facts: FactRules
  readonly isIdempotent: boolean | undefined
}

/** Facts from a server's hints: every server's hints may tighten, only those of a trusted server may loosen. */
export function toolFacts(annotations: JsonObject | undefined, isTrusted: boolean): HintedFacts {
  const hints = annotations ?? {}
  return isTrusted ? trustedFacts(hints) : tighteningFacts(hints)
}

function tighteningFacts(hints: JsonObject): HintedFacts {
  const facts: FactRules = {}
  if (hints['destructiveHint'] === true) facts.is_destructive = true
  if (hints['openWorldHint'] === true) facts.is_open_world = true
  return { facts, isIdempotent: undefined }
}

/** With the protocol's defaults: a tool that is not read-only may be destructive. */
function trustedFacts(hints: JsonObject): HintedFacts {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = hints
  // A tool that claims to be both read-only and destructive counts as destructive.
  const isReadOnly = readOnlyHint === true && destructiveHint !== true
  const facts: FactRules = {}
  if (typeof readOnlyHint === 'boolean') facts.is_read_only = isReadOnly
  if (isReadOnly) facts.is_concurrency_safe = true
  if (isReadOnly) facts.is_destructive = false
  else if (annotated(hints)) facts.is_destructive = destructiveHint !== false
  if (typeof openWorldHint === 'boolean') facts.is_open_world = openWorldHint
  return { facts, isIdempotent: typeof idempotentHint === 'boolean' ? idempotentHint : undefined }
}

/** A tool without any hint gets the standard's defaults. */
function annotated(hints: JsonObject): boolean {
  return ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'].some(
    (name) => typeof hints[name] === 'boolean',
  )
}
