import { checkOptions, type OptionKind } from '../platform/validation/check-options.js'

/**
 * How the schemas of deferred tools reach a model. `load`: a loaded tool joins the end of the list. `pair`: the list
 * never changes; what was found is called through the tools that are on it. `native`: every tool is on the list, and
 * the provider keeps those that are marked as deferred out of the prompt.
 */
export const deferralWays = ['load', 'pair', 'native'] as const
export type DeferralWay = (typeof deferralWays)[number]

/** When tools are kept out of the prompt until they are found. */
export interface DeferralRequest {
  /** The most tokens that tools may take up front, as `o200k_base` counts them. Absent: whatever they take. */
  budgetTokens?: number
  /** Names or patterns with `*` of tools that are up front whatever they cost. */
  always?: readonly string[]
  /** Names or patterns of tools that are never up front, only found. Stronger than `always`. */
  never?: readonly string[]
  /** `load`, unless said. */
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
