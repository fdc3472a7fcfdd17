/** Valid files: texts by path. Tests compile, break and change them. */

interface Parts {
  readonly id: string
  readonly type?: string
  readonly status?: string
  /** The lines of `properties`, indented by 6. */
  readonly input?: string
  readonly required?: string
  readonly transport?: string
  readonly sideEffects?: string
  readonly more?: string
}

function toolText({
  id,
  type = 'retrieval',
  status = 'active',
  input = '      query:\n        type: string\n        description: "What to look for."',
  required = '[query]',
  transport = '',
  sideEffects = '"None. Read-only."',
  more = '',
}: Parts): string {
  return `---
spec_version: "1.2"
tool_id: "${id}"
version: "1.0.0"
status: "${status}"
meta:
  name: "Tool ${id}"
  description: >
    Does what ${id} does.
    Use it in tests only.
  owner: "platform-team"
  tags: ["test", "${type}"]
  last_updated: "2025-04-01"
type: "${type}"
interface:
  input:
    type: object
    properties:
${input}
    required: ${required}
  output:
    type: object
    properties:
      ok:
        type: boolean
    required: [ok]
${more}${transport}use_guidance:
  use_when:
    - "a test needs ${id}"
  avoid_when:
    - "no test runs"
  side_effects: ${sideEffects}
---
# Purpose

Only for tests.
`
}

const lines = (text: string): string => `${text.trim()}\n`

const COMPLETE = toolText({
  id: 'complete-example',
  type: 'action',
  sideEffects: '["Sends a message.", "Writes an audit entry."]',
  required: '[to, subject, folder_id]',
  input: `      to:
        type: array
        items: { type: string, format: email }
        minItems: 1
        maxItems: 20
        uniqueItems: true
        description: "Recipients."
      subject:
        type: string
        minLength: 1
        maxLength: 200
        pattern: "^[^\\\\n]+$"
      folder_id:
        type: [string, integer]
      priority:
        type: integer
        minimum: 1
        maximum: 5
        default: 3
      note:
        type: [string, "null"]
        examples: ["see above"]
      schedule:
        oneOf:
          - { type: string, format: date-time }
          - { type: "null" }
      labels:
        type: object
        additionalProperties: { type: string, enum: [a, b] }
        minProperties: 0
      attachment:
        type: object
        transfer: inline
        filename: "The name of the file."
        mime_type: "application/pdf"
        max_size_bytes: 1000000
      links:
        type: array
        items:
          type: object
          properties:
            transfer: { type: string, enum: [ref] }
            url: { type: string, format: uri }
            max_size_bytes: { type: integer, maximum: 5000 }
          required: [transfer, url]`,
  more: `error_codes:
  400:
    meaning: "Malformed request"
    agent_action: "Fix the parameters, do not retry"
  429:
    meaning: "Rate limited"
    agent_action: "Wait Retry-After seconds, then retry"
  E_QUOTA:
    meaning: "Quota used up"
`,
  transport: lines(`
transport:
  type: "rest-api"
  base_url: "https://mail.example.com/v1"
  endpoint: "POST /folders/{folder_id}/messages"
  timeout_ms: 5000
  retry_policy:
    max_attempts: 1
    on_status: []
    backoff_ms: 100
  credentials:
    scheme: "bearer-token"
    source: "env"
    name: "MAIL_API_TOKEN"
`),
})

const rest = (credentials: string, endpoint = 'GET /search'): string =>
  lines(`
transport:
  type: rest-api
  base_url: https://api.example.com
  endpoint: ${endpoint}
  credentials: ${credentials}
`)

const database = (engine: string, credentials: string, method = 'parameterised-sql'): string =>
  lines(`
transport:
  type: database
  engine: ${engine}
  query_method: ${method}
  credentials: ${credentials}
`)

const RDS =
  '{ scheme: iam-role, host: db.example.com, port: 5432, database: shop, username: reader, region: eu-west-1 }'
const SECRET =
  '{ scheme: service-account, source: aws_secrets_manager, secret_id: prod/db, region: eu-west-1, key: reader }'

const TRANSPORTS: Readonly<Record<string, string>> = {
  'rest-none': rest('{ scheme: none }'),
  'rest-api-key': rest('{ scheme: api-key, header: X-Api-Key, source: env, name: KEY, key: field }'),
  'rest-gcp-secret': rest(
    '{ scheme: bearer-token, source: gcp_secret_manager, project: acme, secret: token, version: "3" }',
  ),
  'rest-azure-secret': rest(
    '{ scheme: bearer-token, source: azure_key_vault, vault_url: https://acme.vault.azure.net, secret_name: token }',
  ),
  'rest-oauth2': rest(
    '{ scheme: oauth2, provider: aws, function_id: "arn:aws:lambda:eu-west-1:123456789012:function:broker", scopes: [read] }',
  ),
  'mcp-tool': lines(`
transport:
  type: mcp
  url: https://mcp.example.com/comms
  tool_name: search
  protocol_version: "2025-06-18"
  credentials:
    scheme: bearer-token
    source: aws_secrets_manager
    secret_id: prod/mcp/token
`),
  'lambda-aws': lines(`
transport:
  type: lambda
  provider: aws
  function_id: arn:aws:lambda:eu-west-1:123456789012:function:search:live
  invocation_type: RequestResponse
  payload_format: json
  credentials: { scheme: iam-role }
`),
  'lambda-gcp': lines(`
transport:
  type: lambda
  provider: gcp
  function_id: projects/acme/locations/europe-west1/functions/search
  invocation_type: RequestResponse
  payload_format: raw
  credentials: { scheme: service-account, source: gcp_secret_manager, project: acme, secret: key }
`),
  'lambda-azure': lines(`
transport:
  type: lambda
  provider: azure
  function_id: acme-app/search
  invocation_type: RequestResponse
  timeout_ms: 9000
  credentials: { scheme: iam-role }
`),
  'queue-aws': lines(`
transport:
  type: message-queue
  provider: aws
  queue_url: https://sqs.eu-west-1.amazonaws.com/123456789012/questions
  response_queue_url: https://sqs.eu-west-1.amazonaws.com/123456789012/answers
  message_format: json
  credentials: { scheme: iam-role }
`),
  'queue-gcp': lines(`
transport:
  type: message-queue
  provider: gcp
  queue_url: projects/acme/topics/questions
  response_queue_url: projects/acme/subscriptions/answers
  credentials: { scheme: iam-role }
`),
  'queue-azure': lines(`
transport:
  type: message-queue
  provider: azure
  queue_url: sb://acme.servicebus.windows.net/questions
  response_queue_url: sb://acme.servicebus.windows.net/answers
  credentials: { scheme: service-account, source: env, name: AZURE }
`),
  'queue-kafka': lines(`
transport:
  type: message-queue
  provider: kafka
  queue_url: kafka://broker.example.com:9092/questions
  response_queue_url: kafka://broker.example.com:9092/answers
  message_format: avro
  credentials: { scheme: service-account, source: env, name: KAFKA }
`),
  'db-postgresql': database('postgresql', RDS),
  'db-mysql': database('mysql', SECRET),
  'db-mssql': database('mssql', SECRET),
  'db-bigquery': database('bigquery', '{ scheme: iam-role, project: acme, dataset: shop }'),
  'db-snowflake': database('snowflake', SECRET),
  'db-rds-data-api': database(
    'rds-data-api',
    '{ scheme: iam-role, cluster_arn: "arn:aws:rds:eu-west-1:1:cluster:x", database: shop }',
  ),
  'db-orm': database('postgresql', SECRET, 'orm'),
}

export const AVRO =
  '{ "type": "record", "name": "Question", "fields": [{ "name": "query", "type": "string" }] }\n'

const AGENT = `---
spec_version: "1.2"
agent_id: support-agent
name: "Support"
model: anything
tools:
  tool_choice: auto
  refs:
    - ref: complete-example
      approval_required: true
      max_calls_per_run: 3
    - ref: mcp-tool
    - ref: pure-function
---
You help customers.
`

/** The texts of a folder without any problem. */
export function validFiles(): Record<string, string> {
  const files: Record<string, string> = { 'tools/complete-example.tool.md': COMPLETE }
  for (const [id, transport] of Object.entries(TRANSPORTS)) {
    files[`tools/${id}.tool.md`] = toolText({ id, transport })
    if (transport.includes('parameterised-sql'))
      files[`tools/${id}.sql`] = 'select true as ok where name = :query\n'
    if (transport.includes('avro')) files[`tools/${id}.avsc`] = AVRO
  }
  files['tools/pure-function.tool.md'] = toolText({
    id: 'pure-function',
    type: 'function',
    sideEffects: '"None"',
  })
  files['tools/ask-human.tool.md'] = toolText({
    id: 'ask-human',
    type: 'human',
    transport: TRANSPORTS['queue-aws']!,
    sideEffects: '"A person is asked."',
  })
  files['tools/put-thing.tool.md'] = toolText({
    id: 'put-thing',
    type: 'action',
    status: 'draft',
    transport: rest('{ scheme: none }', '"PUT /things/{query}"'),
    sideEffects: '"Replaces a thing."',
  })
  files['tools/old-tool.tool.md'] = toolText({
    id: 'old-tool',
    status: 'deprecated',
    transport: rest('{ scheme: none }'),
  })
  files['agents/support-agent.agent.md'] = AGENT
  files['agents/limited_agent.agent.md'] = AGENT.replace('support-agent', 'limited_agent').replace(
    'auto',
    'required',
  )
  return files
}

/** The complete example, which tests break line by line. */
export const completeTool = COMPLETE
export const supportAgent = AGENT
