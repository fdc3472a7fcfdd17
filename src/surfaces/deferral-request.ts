import { checkOptions, type OptionKind } from '../platform/validation/check-options.js'

/**
 * How the schemas of deferred tools reach a model. `load`: a loaded tool is appended to the list. `pair`: the list
 * never changes; found tools are called through the tools on it. `native`: every tool is listed, and the provider keeps
 * those marked as deferred out of the prompt.
 */
export const deferralWays = ['load', 'pair', 'native'] as const
export type DeferralWay = (typeof deferralWays)[number]

/** When tools are kept out of the prompt until they are found. */
export interface DeferralRequest {
  /** The most tokens that tools may take in the prompt, counted with `o200k_base`. Absent: no limit. */
  budgetTokens?: number
  /** Names or patterns with `*` of tools that are in the prompt at any cost. */
  always?: readonly string[]
  /** Names or patterns of tools that are never in the prompt, only found. Takes precedence over `always`. */
  never?: readonly string[]
  /** Default: `load`. */
  way?: DeferralWay
}

const DEFERRAL_OPTIONS = {
  budgetTokens: 'count',
  always: 'texts',
  never: 'texts',
  way: 'text',
} as const satisfies Record<keyof DeferralRequest, OptionKind>

export function checkDeferralRequest(where: string, deferral: DeferralRequest): void {
  checkOptions(where, deferral, DEFERRAL_OPTIONS)
  const { way } = deferral
  if (way !== undefined && !(deferralWays as readonly unknown[]).includes(way))
    throw new TypeError(`${where}: "way" must be one of ${deferralWays.join(', ')}.`)
}
