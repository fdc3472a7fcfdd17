import { credentials, tool, type BrokenCase } from './make-cases.js'

/** In two parts, so that this file holds no token. */
const GITHUB_TOKEN = ['ghp', 'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5'].join('_')

/** Credentials. */
export const credentialCases: readonly BrokenCase[] = [
  credentials('credentials without scheme', 'source: env\nname: TOKEN', 'aml/missing-scheme 25:3'),
  credentials('an unknown scheme', 'scheme: basic', 'aml/unknown-scheme 26:13'),
  credentials(
    'a misspelled scheme',
    'scheme: bearer_token\nsource: env\nname: TOKEN',
    'aml/unknown-scheme 26:13',
  ),
  credentials(
    'service-account on rest-api',
    'scheme: service-account\nsource: env\nname: TOKEN',
    'aml/service-account-on-rest-api 26:13',
  ),
  credentials('iam-role on rest-api', 'scheme: iam-role', 'aml/scheme-of-transport 26:13'),
  credentials('api-key without source', 'scheme: api-key\nheader: X-Key', 'aml/missing-source 25:3'),
  credentials('bearer-token without source', 'scheme: bearer-token', 'aml/missing-source 25:3'),
  credentials('api-key without header', 'scheme: api-key\nsource: env\nname: KEY', 'aml/missing-header 25:3'),
  credentials(
    'a header that is none',
    'scheme: api-key\nheader: "X Key"\nsource: env\nname: KEY',
    'aml/credential-value 27:13',
  ),
  credentials(
    'an unknown source',
    'scheme: bearer-token\nsource: vault\nname: KEY',
    'aml/unknown-source 27:13',
  ),
  credentials(
    'the keyring as source',
    'scheme: bearer-token\nsource: keyring\nname: KEY',
    'aml/unknown-source 27:13',
  ),
  credentials('env without name', 'scheme: bearer-token\nsource: env', 'aml/missing-source-field 25:3'),
  credentials(
    'the value of a variable in place of its name',
    'scheme: bearer-token\nsource: env\nname: "${KB_TOKEN}"',
    'aml/credential-value 28:11',
  ),
  credentials(
    'an assignment in place of the name of a variable',
    'scheme: bearer-token\nsource: env\nname: KB_TOKEN=abc',
    'aml/credential-value 28:11',
  ),
  credentials(
    'a token in place of the name of a variable',
    `scheme: bearer-token\nsource: env\nname: ${GITHUB_TOKEN}`,
    'aml/likely-secret 28:11',
  ),
  credentials(
    'a token that its field gives away is reported once',
    `scheme: none\ntoken: ${GITHUB_TOKEN}`,
    'aml/secret-in-file 27:5',
  ),
  tool(
    'a token as a default',
    [['query: { type: string }', `query: { type: string, default: ${GITHUB_TOKEN} }`]],
    'aml/likely-secret 15:39',
  ),
  credentials(
    'aws_secrets_manager without secret_id',
    'scheme: bearer-token\nsource: aws_secrets_manager\nregion: eu-west-1',
    'aml/missing-source-field 25:3',
  ),
  credentials(
    'gcp_secret_manager without secret',
    'scheme: bearer-token\nsource: gcp_secret_manager\nproject: acme',
    'aml/missing-source-field 25:3',
  ),
  credentials(
    'azure_key_vault without vault_url',
    'scheme: bearer-token\nsource: azure_key_vault\nsecret_name: key',
    'aml/missing-source-field 25:3',
  ),
  credentials(
    'a vault without https',
    'scheme: bearer-token\nsource: azure_key_vault\nsecret_name: key\nvault_url: acme',
    'aml/credential-value 29:16',
  ),
  credentials(
    'a field of another source',
    'scheme: bearer-token\nsource: env\nname: KEY\nsecret_id: key',
    'aml/credential-field 29:5',
  ),
  credentials(
    'a header with bearer-token',
    'scheme: bearer-token\nheader: X-Key\nsource: env\nname: KEY',
    'aml/credential-field 27:5',
  ),
  credentials('a source with none', 'scheme: none\nsource: env', 'aml/credential-field 27:5'),
  credentials(
    'a name that is a number',
    'scheme: bearer-token\nsource: env\nname: 5',
    'aml/credential-value 28:11',
  ),
  credentials(
    'oauth2 without provider',
    'scheme: oauth2\nfunction_id: acme/broker',
    'aml/missing-broker-field 25:3',
  ),
  credentials(
    'oauth2 without function_id',
    'scheme: oauth2\nprovider: azure',
    'aml/missing-broker-field 25:3',
  ),
  credentials(
    'oauth2 with an unknown provider',
    'scheme: oauth2\nprovider: okta\nfunction_id: a/b',
    'aml/invalid-provider 27:15',
  ),
  credentials(
    'oauth2 with a wrong function_id',
    'scheme: oauth2\nprovider: aws\nfunction_id: broker',
    'aml/invalid-function-id 28:18',
  ),
  credentials(
    'oauth2 with scopes as a text',
    'scheme: oauth2\nprovider: azure\nfunction_id: a/b\nscopes: read',
    'aml/credential-value 29:13',
  ),
  credentials(
    'a secret in the file',
    'scheme: bearer-token\ntoken: abc',
    'aml/missing-source 25:3',
    'aml/secret-in-file 27:5',
  ),
  credentials(
    'an unknown field of the credentials',
    'scheme: none\nsomething: else',
    'aml/unknown-field 27:5',
  ),
  tool(
    'a secret over http',
    [
      ['https://', 'http://'],
      ['    scheme: none', '    scheme: bearer-token\n    source: env\n    name: KEY'],
    ],
    'aml/plain-http 23:13',
  ),
]
