import type { InTenant } from '../queries/in-tenant.js'

export interface ArtifactsQuery extends InTenant {
  /** Any of the tool's names, or an id that is no longer in the catalog. */
  tool?: string
  session?: string
  name?: string
  /** Changed since then. */
  since?: Date | number
}

export interface ExportOptions extends InTenant {
  /** The file to write. */
  to: string
  /** Default: the newest. */
  version?: number
  /** Whether an existing file may be replaced. */
  overwrite?: boolean
  by?: string
}

export interface HandOffOptions extends InTenant {
  to: string
  purpose?: string
  version?: number
  by?: string
}

export interface RemoveOptions extends InTenant {
  by?: string
}
