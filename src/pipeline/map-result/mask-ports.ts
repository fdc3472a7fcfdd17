import type { CallRun, RunPorts } from '../call-run.js'
import type { Cleaned } from '../secrets/clean.js'
import type { MappedState } from './mapped-state.js'
import type { RedactionMode } from '../../platform/config/redaction-modes.js'
import type { LiveSecrets } from '../../redaction/live-secrets.js'

/** How secrets in an output are found and marked. */
export interface MaskPorts extends RunPorts {
  readonly redactionWay: RedactionMode
  /** The secrets of this process. */
  readonly liveSecrets: LiveSecrets
}

/** A call whose output is mapped. */
export type MappedRun = CallRun<MaskPorts> & MappedState & Cleaned
