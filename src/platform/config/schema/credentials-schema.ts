const text = { type: 'string', minLength: 1 } as const

/** Where a secret is read from. The field names are those of AML. */
const secretFields = {
  source: {
    enum: ['env', 'keyring', 'aws_secrets_manager', 'gcp_secret_manager', 'azure_key_vault'],
    description:
      'Where the secret is read from: a variable, your own secrets (toolcrib secrets), or the secret store of a cloud.',
  },
  name: { ...text, description: 'env: the variable. keyring: the name given to toolcrib secrets set.' },
  secret_id: { ...text, description: 'aws_secrets_manager: the name or ARN of the secret.' },
  region: { ...text, description: 'aws_secrets_manager: the region; that of the environment by default.' },
  project: { ...text, description: 'gcp_secret_manager: the project.' },
  secret: { ...text, description: 'gcp_secret_manager: the name of the secret.' },
  version: { ...text, default: 'latest', description: 'gcp_secret_manager: the version of the secret.' },
  vault_url: { ...text, description: 'azure_key_vault: the https address of the vault.' },
  secret_name: { ...text, description: 'azure_key_vault: the name of the secret.' },
  key: { ...text, description: 'The field to use where the secret is a JSON object.' },
} as const

/** Where one secret is read from. */
export const secretSchema = {
  type: 'object',
  additionalProperties: false,
  properties: secretFields,
} as const

/** One credential. Which fields belong together is checked by `parseCredentialSettings`. */
export const credentialSchema = {
  title: 'credential',
  type: 'object',
  additionalProperties: false,
  properties: {
    scheme: {
      enum: ['none', 'api-key', 'bearer-token', 'oauth2', 'service-account', 'iam-role'],
      description: 'How it is used; by default as the API says.',
    },
    header: { ...text, description: 'api-key: the header that carries the secret.' },
    ...secretFields,
    provider: { enum: ['aws', 'gcp', 'azure'], description: 'oauth2: the cloud of the token broker.' },
    function_id: { ...text, description: 'oauth2: the function that returns tokens.' },
    grant: {
      enum: ['authorization_code', 'client_credentials', 'device_code'],
      description:
        'OAuth without a broker: a person logs in (in the browser, or with a code on another device), or the client itself gets tokens.',
    },
    client_id: { ...text, description: 'grant: the id of the OAuth client.' },
    client_secret: {
      ...secretSchema,
      description: 'grant: where the secret of the OAuth client is read from.',
    },
    client_auth: {
      enum: ['basic', 'post'],
      default: 'basic',
      description: 'grant: whether the client secret is sent in the Authorization header or in the body.',
    },
    scopes: {
      type: 'array',
      items: text,
      description: 'The scopes to request; those of the API by default.',
    },
    audience: {
      ...text,
      description: 'grant: the audience to request, where the authorization server needs one.',
    },
    authorization_url: { ...text, description: 'grant: the page to log in; that of the API by default.' },
    token_url: { ...text, description: 'grant: the address that issues tokens; that of the API by default.' },
    device_authorization_url: {
      ...text,
      description: 'grant device_code: the address that issues codes; that of the API by default.',
    },
    redirect_port: {
      type: 'integer',
      minimum: 1,
      description:
        'grant authorization_code: the port of the loopback address that the browser is redirected to; a free one by default.',
    },
  },
} as const

/** The credentials of one entry, by the names of the schemes that need them. */
export const credentialsSchema = {
  type: 'object',
  additionalProperties: credentialSchema,
  description:
    'Credentials by the name of the security scheme. Without an entry here, the secret of toolcrib secrets set <entry>/<scheme> is used. See docs/credentials.md.',
} as const
