import type { AccountFields } from '../credential-settings.js'

/**
 * The options of every client of Google Cloud. Without an account, the library takes the identity of the process. Other
 * members of a key file are left out: some kinds of them name addresses and programs.
 */
export function gcpOptions(account?: AccountFields): object {
  if (!account) return {}
  const { client_email, private_key, project_id } = account
  return { credentials: { type: 'service_account', client_email, private_key, project_id } }
}
