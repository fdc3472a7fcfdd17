import { request } from './http.js'
import type { List, Role } from './types.js'

// Tokens and the config file.

export interface TokenItem {
  readonly token_id: string
  readonly name: string
  readonly actor: string
  readonly roles: readonly Role[]
  readonly surface?: string
  readonly tenant?: string
  readonly rate_limit_per_minute?: number
  readonly created_at?: string
  readonly created_by?: string
  readonly expires_at?: string
  readonly last_used_at?: string
  readonly revoked_at?: string
  readonly from: 'config' | 'store'
}

export interface NewToken {
  readonly name: string
  readonly roles: readonly Role[]
  readonly actor?: string
  readonly surface?: string
  readonly rate_limit_per_minute?: number
  readonly expires_at?: string
}

/** The token itself is sent once. */
export type CreatedToken = TokenItem & { readonly token: string }

export interface ConfigFile {
  readonly path?: string
  readonly text: string
  readonly revision: string
  readonly is_trusted: boolean
  readonly is_editable: boolean
  readonly why_not_editable?: string
}

export interface ConfigProblem {
  readonly line?: number
  readonly column?: number
  readonly message: string
  readonly severity?: 'error' | 'warning'
}

export interface SavedConfig {
  readonly revision: string
  readonly is_trusted?: boolean
  readonly untrusted_files?: readonly string[]
  /** Changed keys that take effect at the next start. */
  readonly restart_keys?: readonly string[]
  readonly problems?: readonly ConfigProblem[]
}

export const listTokens = (
  query: { limit?: number; cursor?: string },
  signal?: AbortSignal,
): Promise<List<TokenItem>> => request('/tokens', { query, signal })

export const createToken = (token: NewToken): Promise<CreatedToken> =>
  request('/tokens', { method: 'POST', body: token })

export const rotateToken = (id: string): Promise<CreatedToken> =>
  request(`/tokens/${encodeURIComponent(id)}/rotate`, { method: 'POST', body: {} })

export const revokeToken = (id: string): Promise<void> =>
  request(`/tokens/${encodeURIComponent(id)}`, { method: 'DELETE' })

export const getConfig = (signal?: AbortSignal): Promise<ConfigFile> => request('/config', { signal })

export const validateConfig = (
  text: string,
  signal?: AbortSignal,
): Promise<{ valid: boolean; problems: readonly ConfigProblem[] }> =>
  request('/config/validate', { method: 'POST', body: { text }, signal })

/** Fails with 412 where the file is another than the one with this revision. */
export const saveConfig = (text: string, revision: string): Promise<SavedConfig> =>
  request('/config', { method: 'PUT', body: { text }, headers: { 'if-match': `"${revision}"` } })
