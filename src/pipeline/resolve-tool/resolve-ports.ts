import type { CallRun, RunPorts } from '../call-run.js'
import type { RecordedInput } from '../input/recorded-input.js'
import type { Cleaned } from '../secrets/clean.js'
import type { ResolvedTool } from './resolved-tool.js'
import type { Catalog } from '../../catalog/catalog.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'
import type { Policy } from '../../policy/policy.js'
import type { LiveSecrets } from '../../redaction/live-secrets.js'

export interface ResolvePorts extends RunPorts {
  readonly catalog: Catalog
  readonly policy: Policy
  readonly liveSecrets: LiveSecrets
  /** Called when a tool is called for the first time. */
  readonly onFirstCall?: ((tool: CatalogTool) => void) | undefined
}

export type ResolveRun = CallRun<ResolvePorts> & ResolvedTool & RecordedInput & Cleaned
