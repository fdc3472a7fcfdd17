import type { SecretSettings } from '../credential-settings.js'
import type { SecretContext, SecretSource } from '../secrets/secret-source.js'
import { azureIdentity, IDENTITY_PACKAGE, type AzureTokens } from './azure-identity.js'
import { cloudSecret } from './cloud-secret.js'
import { loadPackage } from './load-package.js'

const PACKAGE = '@azure/keyvault-secrets'

interface Library {
  SecretClient: new (
    vaultUrl: string,
    credential: AzureTokens,
    options: object,
  ) => {
    getSecret(name: string, options: { abortSignal: AbortSignal }): Promise<{ value?: string }>
  }
}

type Settings = Extract<SecretSettings, { source: 'azure_key_vault' }>

export interface AzureSecretOptions {
  /** The identity of this process by default. */
  readonly credential?: AzureTokens | undefined
  /** Passed to the library, for vaults that are none of Azure's own. */
  readonly clientOptions?: object | undefined
}

/** A secret of Azure Key Vault. */
export function azureSecret(
  { vault_url, secret_name }: Settings,
  context: SecretContext,
  { credential, clientOptions = {} }: AzureSecretOptions = {},
): SecretSource {
  const { owner } = context
  return cloudSecret(
    {
      store: 'Azure Key Vault',
      packages: credential ? [PACKAGE] : [PACKAGE, IDENTITY_PACKAGE],
      async read(abortSignal) {
        const library = await loadPackage<Library>(PACKAGE, owner)
        const identity = credential ?? (await azureIdentity(owner))
        const client = new library.SecretClient(vault_url, identity, clientOptions)
        return (await client.getSecret(secret_name, { abortSignal })).value
      },
    },
    context,
  )
}
