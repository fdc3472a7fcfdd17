import type { CribResultPolicy } from '../../pipeline/persist-result/persist-ports.js'
import { payloadClasses } from '../../results/payloads/payload-record.js'
import type { Retention } from '../../results/payloads/retention.js'
import { checkOptions } from '../../platform/validation/check-options.js'
import { checkStrategy, RESULT_POLICY_OPTIONS, type ResultPolicy } from '../../surfaces/result-policy.js'

/** How results are handled, for tools and surfaces that do not set it. */
export interface ResultOptions extends ResultPolicy {
  /** How many days bytes are stored, by purpose: `{ output: 30, artifact: false }`. */
  retainDays?: Retention
  /** How many bytes the results of one tenant may take in total. Default: 10 GB, or 256 MB in memory. */
  maxBytes?: number
  /**
   * Whether agents get the tool `result.read`, which reads stored results. Default: as soon as something is stored by
   * reference.
   */
  readTool?: boolean
}

const DEFAULT_MAX_INLINE_CHARS = 50_000
const DEFAULT_PREVIEW_CHARS = 2_000

export function resultPolicyOf({
  maxInlineChars = DEFAULT_MAX_INLINE_CHARS,
  previewChars = DEFAULT_PREVIEW_CHARS,
  persistence = 'preview_and_persist',
  maxInlineLines,
  maxInlineTokens,
}: ResultOptions): CribResultPolicy {
  return {
    maxInlineChars,
    previewChars,
    persistence,
    ...(maxInlineLines !== undefined && { maxInlineLines }),
    ...(maxInlineTokens !== undefined && { maxInlineTokens }),
  }
}

/** Throws a one-sentence error for an invalid option. */
export function checkResultOptions(where: string, options: ResultOptions): void {
  checkOptions(where, options, {
    ...RESULT_POLICY_OPTIONS,
    retainDays: 'object',
    maxBytes: 'notNegative',
    readTool: 'boolean',
  })
  checkStrategy(where, options.persistence)
  for (const [name, days] of Object.entries(options.retainDays ?? {})) {
    if (!(payloadClasses as readonly string[]).includes(name))
      throw new TypeError(`${where}: "retainDays" has no "${name}"; it takes ${payloadClasses.join(', ')}.`)
    if (days !== false && !(typeof days === 'number' && days >= 0))
      throw new TypeError(`${where}: "retainDays.${name}" must be a number of days, or false for good.`)
  }
}
