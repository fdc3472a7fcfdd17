import type { AccountFields } from '../credential-settings.js'
import { loadPackage, type PackageUser } from './load-package.js'

export const IDENTITY_PACKAGE = '@azure/identity'

/** What the libraries of Azure take as an identity. */
export interface AzureTokens {
  getToken(scopes: string, options?: { abortSignal?: AbortSignal }): Promise<{ token: string } | null>
}

interface Library {
  DefaultAzureCredential: new () => AzureTokens
  ClientSecretCredential: new (tenant: string, client: string, secret: string) => AzureTokens
}

/** The identity of a service account, or of this process. */
export async function azureIdentity(owner: PackageUser, account?: AccountFields): Promise<AzureTokens> {
  const library = await loadPackage<Library>(IDENTITY_PACKAGE, owner)
  if (!account) return new library.DefaultAzureCredential()
  const { tenant_id, client_id, client_secret } = account
  return new library.ClientSecretCredential(String(tenant_id), String(client_id), String(client_secret))
}
