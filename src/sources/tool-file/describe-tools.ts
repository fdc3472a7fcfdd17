import type { CredentialSettings, SecretSettings } from '../../credentials/credential-settings.js'
import { oneLine } from '../../platform/text/printable.js'
import type { CompiledFolder, DatabaseTransport, ToolTransport } from './compiled.js'

/** Each tool with its type, where its calls go and which secret they send: a person who says yes trusts all of them. */
export function describeTools({ tools }: Pick<CompiledFolder, 'tools'>): string[] {
  return tools.map(({ toolId, type, transport }) =>
    oneLine(
      `${toolId} (${type}): ${transport ? `${targetOf(transport)}${secretOf(transport)}` : 'code in this process'}`,
    ),
  )
}

function targetOf(transport: ToolTransport): string {
  switch (transport.type) {
    case 'rest-api':
      return `${transport.endpoint.method} ${transport.base_url}${transport.endpoint.path}`
    case 'mcp':
      return `${transport.tool_name} at ${transport.url}`
    case 'lambda':
      return transport.function_id
    case 'message-queue': {
      const { queue_url: queue, response_queue_url: responses } = transport
      return responses === undefined ? queue : `${queue}, with answers from ${responses}`
    }
    case 'database':
      return `${transport.engine}${serverOf(transport)}`
  }
}

/** Where the file itself says it; otherwise the secret does. */
function serverOf({ credentials: { connection = {} } }: DatabaseTransport): string {
  const { host, cluster_arn: cluster, project } = connection
  const named = host ?? cluster ?? project
  return named === undefined ? '' : ` at ${named}`
}

function secretOf({ credentials: { settings } }: ToolTransport): string {
  const name = nameOf(settings)
  return name === undefined ? '' : `, with ${name}`
}

function nameOf(settings: CredentialSettings): string | undefined {
  switch (settings.kind) {
    case 'none':
      return undefined
    case 'iam-role':
      return 'the cloud identity of this process'
    case 'broker':
      return `a token of ${settings.function_id}`
    case 'oauth':
      return `a login of ${settings.client_id}`
    case 'secret':
      return sourceOf(settings.secret)
  }
}

function sourceOf(secret: SecretSettings): string {
  switch (secret.source) {
    case 'env':
      return `the variable ${secret.name}`
    case 'keyring':
      return `your secret ${secret.name}`
    case 'aws_secrets_manager':
      return `the AWS secret ${secret.secret_id}`
    case 'gcp_secret_manager':
      return `the Google secret ${secret.project}/${secret.secret}`
    case 'azure_key_vault':
      return `the Azure secret ${secret.secret_name} of ${secret.vault_url}`
  }
}
