import type { CribResultPolicy } from '../../pipeline/call-run.js'
import { payloadClasses } from '../../results/payloads/payload-record.js'
import type { Retention } from '../../results/payloads/retention.js'
import { checkOptions } from '../../platform/validation/check-options.js'
import { checkStrategy, RESULT_POLICY_OPTIONS, type ResultPolicy } from '../../surfaces/result-policy.js'

/** What becomes of results, for tools and surfaces that do not say. */
export interface ResultOptions extends ResultPolicy {
  /** For how many days bytes are kept, by what they are kept for: `{ output: 30, artifact: false }`. */
  retainDays?: Retention
  /** How many bytes the results of one tenant may take in all. 10 GB, unless said; 256 MB in memory. */
  maxBytes?: number
  /**
   * Whether agents get the tool `result.read`, by which they read what was kept. Unless said, as soon as something was
   * kept by reference.
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

/** Throws one sentence about what could not be meant like that. */
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
