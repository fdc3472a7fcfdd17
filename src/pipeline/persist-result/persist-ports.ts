import type { CallRun, RunPorts } from '../call-run.js'
import type { Artifacts } from '../../results/artifacts/artifacts.js'
import type { Payloads } from '../../results/payloads/payloads.js'
import type { ResultPolicy } from '../../surfaces/result-policy.js'
import type { ResolvePorts } from '../resolve-tool/resolve-ports.js'
import type { HookPorts } from '../hooks/hook-ports.js'

/** The ports that limit the size of a result. */
export interface SizePorts extends RunPorts {
  /** For tools and surfaces without a policy of their own. */
  readonly results: CribResultPolicy
}

/** The policy with every member set. */
export type CribResultPolicy = Required<
  Pick<ResultPolicy, 'maxInlineChars' | 'previewChars' | 'persistence'>
> &
  Pick<ResultPolicy, 'maxInlineLines' | 'maxInlineTokens'>

export interface PersistPorts extends SizePorts, HookPorts, Pick<ResolvePorts, 'catalog'> {
  readonly payloads: Payloads
  readonly artifacts: Artifacts
  /** A keyed digest, the same in every process that has the key. */
  hideSecret(secret: string): string
  /** Actors that may open sealed payloads. */
  readonly protectedReaders: readonly string[]
  /** How long a canceled executor may take to stop. */
  readonly cancelGraceMs: number
}

export type PersistRun = CallRun<PersistPorts>

/** A call whose result has a size limit. */
export type SizedRun = CallRun<SizePorts>
