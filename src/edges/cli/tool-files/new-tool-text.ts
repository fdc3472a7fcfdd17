/** What is known of the new tool, by the names of the options. */
export type NewTool = Partial<Record<NewToolOption, string>>

export type NewToolOption =
  | 'id'
  | 'name'
  | 'description'
  | 'owner'
  | 'type'
  | 'transport'
  | 'url'
  | 'endpoint'
  | 'responseUrl'
  | 'mcpTool'
  | 'provider'
  | 'function'
  | 'engine'
  | 'credentials'
  | 'header'
  | 'secret'
  | 'input'
  | 'output'
  | 'useWhen'
  | 'avoidWhen'
  | 'sideEffects'
  | 'status'

/** The files of a new tool. */
export interface NewToolTexts {
  readonly text: string
  /** Of a database tool. */
  readonly sql?: string | undefined
}

const FIELD = /^([A-Za-z_]\w*)(\?)?(?::\s*(string|number|integer|boolean|object|array|any))?$/
const FIELD_HINT =
  'Write fields as name:type, with commas; a ? behind the name makes it optional, and without a type it is a string.'

/** What is wrong with a list of fields, as one sentence. */
export function fieldsProblem(given: string): string | undefined {
  return splitList(given).every((field) => FIELD.test(field)) ? undefined : FIELD_HINT
}

const SECRET_HINT =
  'Write env:NAME, aws_secrets_manager:ID, gcp_secret_manager:PROJECT/SECRET or azure_key_vault:https://VAULT/SECRET.'

/** What is wrong with the storage location of a secret, as one sentence. */
export function secretProblem(given: string): string | undefined {
  return readSecret(given) ? undefined : SECRET_HINT
}

/** The tool file, and the SQL beside it. Every value is quoted, so that no answer is read as YAML. */
export function newToolText(tool: NewTool, today: Date): NewToolTexts {
  const { id = '', type, transport, sideEffects = 'None. Read-only.' } = tool
  const text = [
    '---',
    'spec_version: "1.2"',
    `tool_id: ${quoted(id)}`,
    'version: "1.0.0"',
    `status: ${quoted(tool.status)}`,
    'meta:',
    `  name: ${quoted(tool.name)}`,
    `  description: ${quoted(tool.description)}`,
    `  owner: ${quoted(tool.owner)}`,
    `  last_updated: "${today.toISOString().slice(0, 10)}"`,
    `type: ${quoted(type)}`,
    'interface:',
    '  input:',
    ...schemaLines(tool.input),
    '  output:',
    ...schemaLines(tool.output),
    ...(transport === undefined ? [] : ['transport:', ...transportLines(tool), ...credentialLines(tool)]),
    'use_guidance:',
    `  use_when: [${quoted(tool.useWhen)}]`,
    `  avoid_when: [${quoted(tool.avoidWhen)}]`,
    `  side_effects: [${quoted(sideEffects)}]`,
    '---',
    '',
    '# Purpose',
    '',
    tool.description ?? '',
    '',
  ].join('\n')
  return { text, ...(transport === 'database' && { sql: sqlOf(tool) }) }
}

function schemaLines(given = ''): string[] {
  const fields = splitList(given).map((field) => {
    const [, name = '', optional, type = 'string'] = FIELD.exec(field) ?? []
    return { name, isRequired: optional === undefined, type }
  })
  const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => quoted(name))
  return [
    '    type: object',
    ...(fields.length === 0 ? ['    properties: {}'] : ['    properties:']),
    ...fields.flatMap(({ name, type }) => [
      // Words that YAML reads as other values are quoted.
      `      ${/^(?:true|false|null)$/i.test(name) ? quoted(name) : name}:`,
      // A schema without a type allows every value.
      ...(type === 'any' ? [] : [`        type: ${type}`]),
      `        description: ${quoted(`The ${name.replaceAll(/[-_]+/g, ' ')}.`)}`,
    ]),
    ...(required.length > 0 ? [`    required: [${required.join(', ')}]`] : []),
  ]
}

function transportLines(tool: NewTool): string[] {
  const { transport, type, url, provider } = tool
  const head = `  type: ${quoted(transport)}`
  switch (transport) {
    case 'rest-api': {
      const isAction = type === 'action' || type === 'human'
      return [
        head,
        `  base_url: ${quoted(url?.replace(/\/+$/, ''))}`,
        `  endpoint: ${quoted(tool.endpoint)}`,
        ...(isAction ? ['  retry_policy: { max_attempts: 1 }'] : []),
      ]
    }
    case 'mcp':
      return [head, `  url: ${quoted(url)}`, `  tool_name: ${quoted(tool.mcpTool)}`]
    case 'lambda':
      return [
        head,
        `  provider: ${quoted(provider)}`,
        `  function_id: ${quoted(tool.function)}`,
        '  invocation_type: "RequestResponse"',
      ]
    case 'message-queue':
      return [
        head,
        `  provider: ${quoted(provider)}`,
        `  queue_url: ${quoted(url)}`,
        ...(tool.responseUrl === undefined ? [] : [`  response_queue_url: ${quoted(tool.responseUrl)}`]),
      ]
    default:
      return [head, `  engine: ${quoted(tool.engine)}`, '  query_method: "parameterised-sql"']
  }
}

function credentialLines({ credentials, header, secret = '' }: NewTool): string[] {
  const fields: Record<string, string | undefined> = {
    scheme: credentials,
    ...(credentials === 'api-key' && { header }),
    ...readSecret(secret),
  }
  return ['  credentials:', ...Object.entries(fields).map(([name, value]) => `    ${name}: ${quoted(value)}`)]
}

/** The fields of `credentials` for `<source>:<where>`. */
function readSecret(given: string): Record<string, string> | undefined {
  const [, source = '', where = ''] = /^([a-z_]+):(\S+)$/.exec(given) ?? []
  const end = where.lastIndexOf('/')
  const [head, tail] = [where.slice(0, end), where.slice(end + 1)]
  switch (source) {
    case 'env':
      return { source, name: where }
    case 'aws_secrets_manager':
      return { source, secret_id: where }
    case 'gcp_secret_manager':
      return end > 0 && tail !== '' ? { source, project: head, secret: tail } : undefined
    case 'azure_key_vault':
      return /^https:\/\/./.test(head) && tail !== ''
        ? { source, vault_url: head, secret_name: tail }
        : undefined
    default:
      return undefined
  }
}

/** A statement to start from, which uses every field of the input. */
function sqlOf({ type, input = '', id = '' }: NewTool): string {
  const names = splitList(input).map((field) => FIELD.exec(field)?.[1] ?? '')
  const table = id.replaceAll('-', '_')
  const where = names.length === 0 ? '' : ` WHERE ${names.map((name) => `${name} = :${name}`).join(' AND ')}`
  const statement =
    type === 'action'
      ? `UPDATE ${table} SET changed = CURRENT_TIMESTAMP${where}`
      : `SELECT * FROM ${table}${where}`
  return `-- Input fields are bound as :name. Put the tables and columns of your database here.\n${statement}\n`
}

function splitList(given: string): string[] {
  return given
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function quoted(value = ''): string {
  return JSON.stringify(value)
}
