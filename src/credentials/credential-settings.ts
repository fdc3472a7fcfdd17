export type SecretSettings = { readonly key?: string | undefined } & (
  | { readonly source: 'env' | 'keyring'; readonly name: string }
  | {
      readonly source: 'aws_secrets_manager'
      readonly secret_id: string
      readonly region?: string | undefined
    }
  | {
      readonly source: 'gcp_secret_manager'
      readonly project: string
      readonly secret: string
      readonly version?: string | undefined
    }
  | { readonly source: 'azure_key_vault'; readonly vault_url: string; readonly secret_name: string }
)

/** The fields of the secret of a service account. */
export type AccountFields = Readonly<Record<string, unknown>>

export type CloudProvider = 'aws' | 'gcp' | 'azure'
export type OAuthGrant = 'authorization_code' | 'client_credentials' | 'device_code'

/** A function of a cloud that returns tokens. */
export interface BrokerSettings {
  readonly provider: CloudProvider
  readonly function_id: string
  readonly scopes?: readonly string[] | undefined
}

export interface OAuthSettings {
  readonly grant: OAuthGrant
  readonly client_id: string
  readonly client_secret?: SecretSettings | undefined
  readonly client_auth?: 'basic' | 'post' | undefined
  readonly scopes?: readonly string[] | undefined
  readonly audience?: string | undefined
  readonly authorization_url?: string | undefined
  readonly token_url?: string | undefined
  readonly device_authorization_url?: string | undefined
  readonly redirect_port?: number | undefined
}

/** The settings of one credential, with the field names of AML. */
export type CredentialSettings =
  | { readonly kind: 'none' }
  /** The cloud identity of this process. */
  | { readonly kind: 'iam-role' }
  | {
      readonly kind: 'secret'
      /** Undefined: it is sent as the protocol says. */
      readonly scheme: 'api-key' | 'bearer-token' | 'service-account' | undefined
      readonly header?: string | undefined
      readonly secret: SecretSettings
    }
  | ({ readonly kind: 'broker' } & BrokerSettings)
  | ({ readonly kind: 'oauth' } & OAuthSettings)
