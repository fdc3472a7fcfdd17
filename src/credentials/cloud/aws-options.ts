import type { AccountFields } from '../credential-settings.js'

/** The options of every client of AWS. Without a region and an account, the library takes those of the process. */
export function awsOptions(region: string | undefined, account?: AccountFields): object {
  const { access_key_id, secret_access_key, session_token, region: own } = account ?? {}
  const chosen = region ?? (typeof own === 'string' ? own : undefined)
  return {
    ...(chosen !== undefined && { region: chosen }),
    ...(account && {
      credentials: {
        accessKeyId: String(access_key_id),
        secretAccessKey: String(secret_access_key),
        ...(typeof session_token === 'string' && { sessionToken: session_token }),
      },
    }),
  }
}

/** `arn:aws:secretsmanager:eu-west-1:123456789012:secret:name` */
export function regionOfArn(id: string): string | undefined {
  return /^arn:[^:]*:[^:]*:([a-z0-9-]+):/.exec(id)?.[1]
}
