import type { FactRules, PermissionFacts } from '../../../catalog/tool-draft.js'
import type { ToolKind } from '../../../contract/unions.js'
import type { SecretSettings } from '../../../credentials/credential-settings.js'
import type { CompiledTool, ToolType, TransportCredentials } from '../compiled.js'

export const kinds: Readonly<Record<ToolType, ToolKind>> = {
  retrieval: 'retrieval',
  function: 'function',
  action: 'native_tool',
  human: 'native_tool',
}

/** What the type of a tool says about its calls. A fact that it does not say has the strict default. */
export function toolFacts({ type, transport }: CompiledTool): FactRules {
  switch (type) {
    case 'retrieval':
      return { ...READS, is_open_world: true }
    case 'function':
      return { ...READS, is_open_world: false }
    case 'action':
      return {
        is_read_only: false,
        is_open_world: true,
        ...(isDelete(transport) && { is_destructive: true }),
      }
    case 'human':
      return { requires_user_interaction: true }
  }
}

const READS = { is_read_only: true, is_destructive: false, is_concurrency_safe: true } as const

const isDelete = (transport: CompiledTool['transport']): boolean =>
  transport?.type === 'rest-api' && transport.endpoint.method === 'DELETE'

export function permissionFacts(tool: CompiledTool, hosts: readonly string[]): PermissionFacts {
  const { type, transport } = tool
  const credentials = credentialNames(transport?.credentials)
  return {
    risk_level: RISKS[type],
    access_kinds: [
      ...(transport ? (['network'] as const) : []),
      ...(credentials.length > 0 ? (['credential'] as const) : []),
      ...(type === 'action' && transport ? (['external_send'] as const) : []),
    ],
    write_effects: effectsOf(tool),
    ...(hosts.length > 0 && { network_scope: hosts.join(', ') }),
    ...(credentials.length > 0 && { credential_refs: credentials }),
    rule_matching_fields: hosts.length > 0 ? ['url', 'domain'] : [],
  }
}

const RISKS = { retrieval: 'medium', function: 'low', action: 'high', human: 'medium' } as const

function effectsOf({ type, transport }: CompiledTool): NonNullable<PermissionFacts['write_effects']> {
  if (type !== 'action') return ['none']
  return isDelete(transport) ? ['remote_mutation', 'irreversible'] : ['remote_mutation']
}

/** How people find the credentials of a transport, such as `env:MAIL_API_TOKEN`. Never a secret. */
function credentialNames(credentials: TransportCredentials | undefined): string[] {
  const { settings } = credentials ?? {}
  switch (settings?.kind) {
    case 'secret':
      return [`${settings.secret.source}:${nameOf(settings.secret)}`]
    case 'broker':
      return [`${settings.provider}:${settings.function_id}`]
    case 'oauth':
      return [`oauth:${settings.client_id}`]
    case 'iam-role':
      return ['iam-role']
    case 'none':
    case undefined:
      return []
  }
}

function nameOf(secret: SecretSettings): string {
  const key = secret.key === undefined ? '' : `#${secret.key}`
  switch (secret.source) {
    case 'env':
    case 'keyring':
      return secret.name + key
    case 'aws_secrets_manager':
      return secret.secret_id + key
    case 'gcp_secret_manager':
      return `${secret.project}/${secret.secret}${key}`
    case 'azure_key_vault':
      return `${secret.vault_url}/${secret.secret_name}${key}`
  }
}
