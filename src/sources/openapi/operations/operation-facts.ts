import type { FactRules } from '../../../catalog/tool-draft.js'
import type { OperationSettings } from '../api-settings.js'
import type { CompiledOperation } from '../compiled.js'

const READS = new Set(['GET', 'HEAD', 'QUERY'])
/** HTTP defines them as idempotent. */
const REPEATABLE = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'])
const IDEMPOTENCY_HEADER = /^(?:x-)?idempotency-?key$/i

export interface OperationFacts {
  readonly facts: FactRules
  readonly isIdempotent: boolean
}

/** The input's member that carries the idempotency key, where the operation has one. */
export function keyFieldOf({ parameters }: CompiledOperation): string | undefined {
  return parameters.find(({ in: position, name }) => position === 'header' && IDEMPOTENCY_HEADER.test(name))
    ?.field
}

/** Facts by method, as HTTP defines it; the config may say otherwise. Only a trusted document's methods loosen. */
export function operationFacts(
  operation: CompiledOperation,
  { settings, isTrusted }: { settings: OperationSettings; isTrusted: boolean },
): OperationFacts {
  const { method, isAdditional } = operation
  const reads = settings.readOnly ?? (READS.has(method) && !isAdditional)
  const destroys = settings.destructive ?? (method === 'DELETE' && settings.readOnly !== true)
  const isStated = settings.readOnly !== undefined || isTrusted
  const isReadOnly = reads && !destroys && isStated
  return {
    facts: {
      ...(isStated && { is_read_only: isReadOnly }),
      ...((isStated || destroys || settings.destructive !== undefined) && { is_destructive: destroys }),
      ...(isReadOnly && { is_concurrency_safe: true }),
      is_open_world: true,
    },
    isIdempotent:
      settings.idempotent ??
      ((REPEATABLE.has(method) && !isAdditional) || isReadOnly || keyFieldOf(operation) !== undefined),
  }
}
