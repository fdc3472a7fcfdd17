// Writes the generated pages of docs/: statuses, errors, events, the command line, the config file, the HTTP API and the
// problems of tool files. `--check` only compares.
import { fileURLToPath } from 'node:url'
import { reportGenerated, writeGenerated } from './write-generated.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const NOTE = '<!-- Written from code by scripts/write-docs.mjs; change the code, not this file. -->'

/** The text of every generated page, by path. */
export function docFiles({ contract, cli, configSchema, ruleGroups, routes }) {
  return {
    'docs/statuses.md': statusesPage(contract),
    'docs/errors.md': errorsPage(contract),
    'docs/events.md': eventsPage(contract),
    'docs/cli.md': cliPage(cli),
    'docs/config.md': configPage(configSchema),
    'docs/http-api.md': httpApiPage(routes),
    'docs/tool-file-problems.md': problemsPage(ruleGroups),
  }
}

function statusesPage(contract) {
  const {
    invocationStatuses,
    resultStatuses,
    resultStatusesFor,
    statusMeaning,
    terminalStatuses,
    transitions,
  } = contract
  const ends = new Set(terminalStatuses)
  const meanings = invocationStatuses.map((status) => [
    code(status),
    ends.has(status) ? 'yes' : '',
    statusMeaning[status],
  ])
  const ways = invocationStatuses
    .filter((status) => !ends.has(status))
    .map((status) => [code(status), transitions[status].map(code).join(', ')])
  const pairs = terminalStatuses.map((status) => [
    code(status),
    ...resultStatuses.map((result) => (resultStatusesFor[status].includes(result) ? 'x' : '')),
  ])
  return page('Statuses', [
    'A call (`tool_invocation`) moves through these statuses. It skips statuses that do not apply, and it makes only the changes that are listed here. A call ends in exactly one terminal status with exactly one result.',
    '## What each status means',
    table(['Status', 'Terminal', 'Meaning'], meanings),
    '## Which status follows which',
    'A terminal status never changes.',
    table(['From', 'To'], ways),
    '## How a call ends, and the status of its result',
    table(['Call', ...resultStatuses.map(code)], pairs),
    '## `yielded`',
    statusMeaning.yielded,
    '## Calls to a tool that does not exist',
    `These calls are recorded like any other call. Their \`tool_id\` is ${code(contract.UNKNOWN_TOOL_ID)}; the requested name is in \`toolcrib.requested_name\`.`,
  ])
}

function errorsPage({ errorClasses, errorTable, errorWords, codeWords, retryGuidance, errorCodes }) {
  const rows = errorClasses.map((errorClass) => {
    const { invocationStatus, resultStatus, recoverability, meaning } = errorTable[errorClass]
    return [
      code(errorClass),
      meaning,
      code(invocationStatus),
      code(resultStatus),
      code(recoverability),
      ...Object.values(retryGuidance(errorClass)).map((is) => (is ? 'yes' : '')),
    ]
  })
  const guidance = Object.keys(retryGuidance(errorClasses[0])).map(code)
  return page('Errors', [
    'A call that fails still ends in a result, with `is_error: true` and an `error` of one of these classes. The columns from the third on give the values if only the class is known; the error itself may have more exact values.',
    table(['Class', 'Meaning', 'Call ends', 'Result', 'What helps', ...guidance], rows),
    '## Forms of an error',
    'Every result with an `error` has it in three forms. `error` is for programs: `error_class`, a stable `error_code`, `message`, `recoverability`, `retry_after` (seconds; `null` if waiting changes nothing), `native_error_ref` if a foreign component failed, `policy_refs` if a policy decided, and `toolcrib.retry`. `model_facing_content` is for the model: the message, then what to do next. `ui_facing_summary` is for the person, with the name of the tool.',
    `Denied is not the same as not found: ${['unknown_tool', 'blocked_tool', 'schema_not_loaded', 'permission_denied', 'policy_blocked', 'approval_rejected'].map(code).join(', ')} are six different classes.`,
    'If a call may be sent again unchanged (`safe`), some classes have other texts; these have rows of their own below.',
    table(
      ['Class', 'To the model', 'To the person'],
      errorClasses.flatMap((errorClass) => wordRows(code(errorClass), errorWords[errorClass])),
    ),
    '## `native_error_ref`',
    'The name of the failure in its own protocol or library: `exit_code:2` and `signal:SIGTERM` of a process, `http_status:503` of a server, the `code` of an error (`ENOENT`, or `ECONNREFUSED` from the cause of a failed `fetch`), a numeric code with its maker (`MongoServerError:11000`), the first issue of a schema library (`ZodError:invalid_type`), else the class of the error (`TypeError`), and `thrown:string` for a thrown value that is not an error. It belongs to that protocol and refers to nothing inside Toolcrib.',
    'A tool that throws without naming a class ends as `execution_failed`, with three exceptions. No answer, or a lost connection (`ECONNREFUSED`, `ENOTFOUND`, `ETIMEDOUT`, a `TimeoutError`, HTTP 502, 503, 504): `dependency_unavailable`. HTTP 429: `rate_limited`, with the `retry-after` of the server. HTTP 401: `credential_missing`. `toolFailure` names the class directly.',
    '## Calling again',
    '`recoverability` says what helps, and `retry_after` after how many seconds. `toolcrib.retry` of every error has the five fields of the last columns, each true or false:',
    table(
      ['Field', 'True when'],
      [
        [code('safe'), 'the same call may be sent again unchanged: it repeats no effect'],
        [
          code('change_arguments'),
          'with these arguments the call would end the same way, unless the policy changes',
        ],
        [code('discover_first'), 'the tool or its schema must be looked up first'],
        [code('approval_again'), 'the call would need a new approval: an approval counts for one call'],
        [code('caused_by_sibling'), 'the call itself was correct; another call of the batch failed'],
      ],
    ),
    'If the tool is idempotent or only reads, a call that failed, was cancelled or timed out is safe to repeat; other tools can report this with a `toolFailure` with `nothingHappened`. See [retries and time limits](library.md#retries-and-time-limits).',
    '## Codes',
    'Every `error_code` that Toolcrib writes; a `toolFailure` may use its own. An answer to an approval that is refused has one of the codes of approvals. If the crib closes while a call waits for a reviewer, the promise of the call rejects with an `Error` whose `code` is `toolcrib.still_waiting`: the call has no result yet.',
    table(
      ['Code', 'Class', 'Meaning'],
      Object.entries(errorCodes).map(([name, { errorClasses: classes, meaning }]) => [
        code(name),
        classes.map(code).join(', '),
        meaning,
      ]),
    ),
    '## Codes with texts of their own',
    'These codes have texts of their own, because the texts of the class say too little or are wrong. An empty cell means the text of the class.',
    table(
      ['Code', 'To the model', 'To the person'],
      Object.entries(codeWords).flatMap(([name, words]) => wordRows(code(name), words)),
    ),
  ])
}

function wordRows(name, { forModel = '', forPerson = '', ifSafe }) {
  const rows = [[name, forModel, forPerson]]
  return ifSafe ? [...rows, [`${name}, \`safe\``, ifSafe.forModel, ifSafe.forPerson]] : rows
}

function eventsPage({ eventClasses, ownEventClasses, eventMeaning }) {
  const rows = (classes) => classes.map((eventClass) => [code(eventClass), eventMeaning[eventClass]])
  return page('Events', [
    'Every change is recorded as an event (`tool_event`) of one of these classes.',
    '## Of the standard',
    table(['Event', 'Meaning'], rows(eventClasses)),
    '## Of Toolcrib',
    'Facts for which the standard has no class.',
    table(['Event', 'Meaning'], rows(ownEventClasses)),
  ])
}

function httpApiPage(routes) {
  const tags = [...new Set(routes.map(({ tag }) => tag))]
  const rolesOf = ({ roles }) => (roles === 'public' ? 'anyone' : roles.join(', '))
  const rowsOf = (tag) =>
    routes
      .filter((route) => route.tag === tag)
      .map((route) => [code(`${route.method.toUpperCase()} ${route.path}`), route.summary, rolesOf(route)])
  return page('The HTTP API', [
    '`toolcrib serve` answers these paths below `/api/v1`, on the port of MCP. `/api/v1/openapi.json` describes every parameter and answer (OpenAPI 3.1); `toolcrib add openapi` can import it.',
    '```sh\ncurl -H "authorization: Bearer $TOKEN" http://127.0.0.1:4747/api/v1/invocations?limit=5\n```',
    '## What holds for every path',
    [
      '- A request has a token (`Authorization: Bearer …`), or the session of a browser. [Identities](server.md) says which roles there are and how tokens are made. Everything is limited to the tenant of the token; a token with the role `caller` alone sees its own calls only.',
      '- An error is `application/problem+json`. `detail` is one sentence that says what to do, `error_class` is a [class of the standard](errors.md), `errors` names each fault of the request.',
      '- Answers are JSON, apart from files and streams: a request whose `Accept` takes no JSON gets 406. A body has no `Content-Encoding`; one that has gets 415. An address below `/api` that is none of this API gets 404.',
      '- Lists have `items` and, if there is more, a `next_cursor`: send it as `cursor`. `GET /events` always gives the cursor to go on from, also after the last event: send it as `from`. `ETag` and `If-None-Match` work on everything that is read. `HEAD` gets the headers of `GET`.',
      '- Requests that write take an `Idempotency-Key`. The same key with the same request gives the first answer again for a day, and nothing is done twice. A call is answered again from its record, as a stream where a stream was asked for: with its result once it has ended, without what is [not stored](results.md), and with 410 once the record was deleted. A call whose process died is not run again. A request that failed may be sent again with its key.',
      '- `GET /events` with `Accept: text/event-stream` follows the log. A client that connects again with `Last-Event-ID` misses nothing.',
    ].join('\n'),
    ...tags.flatMap((tag) => [`## ${tag}`, table(['Request', 'What it does', 'Roles'], rowsOf(tag))]),
  ])
}

function cliPage({ commands, commonOptions, exitCodes }) {
  return page('The command line', [
    'In a clone, or in a project that has Toolcrib installed, run `npx toolcrib <command>`.',
    '## Options of every command',
    optionTable(commonOptions),
    'Output has colors only on a terminal, and not if `NO_COLOR` is set.',
    '## Exit codes',
    table(
      ['Code', 'Meaning'],
      exitCodes.map(({ code: number, meaning }) => [code(String(number)), meaning]),
    ),
    ...commands.flatMap(commandParts),
  ])
}

function commandParts({ name, summary, details, arguments: given = [], options = [], examples }) {
  const usage = [
    'toolcrib',
    name,
    ...given.map((each) => each.name),
    ...(options.length > 0 ? ['[options]'] : []),
  ]
  const sentence = `${summary[0].toUpperCase()}${summary.slice(1)}.`
  return [
    `## toolcrib ${name}`,
    `${code(usage.join(' '))}`,
    details ? `${inMarkdown(sentence)} ${inMarkdown(details)}` : inMarkdown(sentence),
    ...(given.length > 0
      ? [
          table(
            ['Argument', 'Meaning'],
            given.map((each) => [code(each.name), inCell(each.description)]),
          ),
        ]
      : []),
    ...(options.length > 0 ? [optionTable(options)] : []),
    `\`\`\`sh\n${examples.join('\n')}\n\`\`\``,
  ]
}

function optionTable(options) {
  return table(
    ['Option', 'Meaning'],
    options.map(({ flags, description, default: fallback }) => [
      code(flags),
      inCell(description) + (fallback === undefined ? '' : ` (${fallback} by default)`),
    ]),
  )
}

function configPage(configSchema) {
  const { properties } = configSchema
  return page('The config file', [
    configSchema.description,
    'Toolcrib uses the nearest config file, from the working folder upward. It reports an unknown key or a wrong value with its line. `toolcrib schema config` prints the schema, for editors.',
    '```yaml\ntools:\n  - ./tools/*.mjs\nstore: { path: ./records.db }\ntimeoutMs: 30000\n```',
    '## Keys',
    configTable(properties),
    ...Object.entries(properties).flatMap(([key, schema]) => configParts(key, schema)),
  ])
}

/** The maximum depth of a heading. */
const MAX_LEVEL = 4

/** The keys of an object setting, and below them those of the objects in it. */
function configParts(name, schema, level = 2) {
  const inner =
    schema.properties ??
    schema.items?.properties ??
    schema.additionalProperties?.properties ??
    schema.anyOf?.find((option) => option.properties)?.properties
  if (!inner) return []
  const below = level < MAX_LEVEL ? Object.entries(inner) : []
  return [
    `${'#'.repeat(level)} ${code(name)}`,
    schema.description,
    configTable(inner),
    ...below.flatMap(([key, each]) =>
      (each.properties ?? each.items?.properties) ? configParts(`${name}.${key}`, each, level + 1) : [],
    ),
  ]
}

function configTable(properties) {
  return table(
    ['Key', 'Value', 'Default', 'Meaning'],
    Object.entries(properties).map(([key, schema]) => [
      code(key),
      valueOf(schema),
      schema.default === undefined ? '' : code(String(schema.default)),
      inCell(schema.description),
    ]),
  )
}

function valueOf(schema) {
  if (schema.const !== undefined) return code(schema.const)
  if (schema.enum) return schema.enum.map(code).join(', ')
  if (schema.anyOf) return schema.anyOf.map(valueOf).join(' or ')
  if (schema.type === 'array') {
    if (!schema.items) return 'a list'
    if (schema.items.enum) return `list of ${valueOf(schema.items)}`
    const kinds = (schema.items.anyOf ?? [schema.items]).map(({ type }) => `${type}s`)
    return `list of ${kinds.join(' or ')}`
  }
  return schema.type
}

function problemsPage(ruleGroups) {
  return page('Problems of tool files', [
    'Every problem that `toolcrib compile` reports for [tool files](tool-files.md) and [agent files](agent-files.md), by its code. The message of a problem says more, and names its file, line and column. A file with an error offers no tool or agent; a warning changes nothing, unless `--strict` is given. `--fix` mends what needs no decision.',
    ...Object.entries(ruleGroups).flatMap(([title, rules]) => [
      `## ${title}`,
      table(
        ['Code', 'Level', 'Problem', 'What to do'],
        Object.entries(rules).map(([name, { level, title: problem, advice }]) => [
          code(name),
          level,
          inCell(problem),
          inCell(advice),
        ]),
      ),
    ]),
  ])
}

/** Escapes what markdown would take for markup: patterns with stars, names in angle brackets. */
function inMarkdown(text) {
  return text.replaceAll(/[*<]/g, (mark) => `\\${mark}`)
}

function inCell(text) {
  return inMarkdown(text).replaceAll('|', '\\|')
}

function page(title, parts) {
  return `${[NOTE, `# ${title}`, ...parts].join('\n\n')}\n`
}

/** Pads columns as prettier does, so that the formatter changes nothing. */
function table(head, rows) {
  const widths = head.map((_, column) => Math.max(3, ...[head, ...rows].map((row) => row[column].length)))
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

function code(text) {
  return `\`${text}\``
}

async function main() {
  const check = process.argv.includes('--check')
  const load = (path) => import(new URL(`../dist/${path}.js`, import.meta.url))
  const [contract, cli, { configSchema }, { ruleGroups }, { routes }] = await Promise.all([
    load('contract/index'),
    load('edges/cli/program/commands'),
    load('platform/config/schema/config-schema'),
    load('sources/tool-file/compile/rules'),
    load('edges/http-api/routes'),
  ])
  const files = docFiles({ contract, cli, configSchema, ruleGroups, routes })
  const differing = writeGenerated(ROOT, files, { check })
  reportGenerated(differing, { check, remedy: 'npm run build && node scripts/write-docs.mjs' })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
