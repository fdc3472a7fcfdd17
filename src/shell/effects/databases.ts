import { isKnown, valueOf } from '../detection/arg.js'
import type { Call } from '../detection/call.js'
import { literalInput } from '../detection/literal-output.js'
import type { Trace } from '../detection/trace.js'
import { matchesOf } from '../matches-of.js'
import { applyUsage } from './apply-usage.js'
import { each, options, type Act, type EffectTable, type Usage } from './usage.js'

const connects: Usage = {
  rest: 'text',
  isOpenWorld: true,
  isPartial: true,
  takes: {
    ...options('-h --host -S --server', 'host'),
    ...options(
      '-c -e -d -U -u -p -P -D --command --execute --dbname --username --user --port --password --eval -Q',
      'text',
    ),
    ...options('-f --file -i --input-file --defaults-file', 'read'),
    ...options('-o --output -L --log-file', 'replace'),
  },
}

/** Programs that send statements to a database. */
export const databases: EffectTable = {
  ...each(
    'psql mysql mariadb sqlcmd mongosh mongo redis-cli cqlsh clickhouse-client snowsql bq influx isql tsql',
    sends(connects),
  ),
  ...each(
    'sqlite3 duckdb sqlite',
    sends({
      first: ['read'],
      rest: 'text',
      takes: { ...options('-cmd -separator -nullvalue -c -s', 'text'), '-init': 'script' },
      isSingleDash: true,
    }),
  ),
  ...each('dropdb dropuser', { ...connects, destroys: 'It deletes a database.' }),
  ...each('createdb createuser pg_restore mysqladmin mongorestore mysqlimport mongoimport', connects),
  ...each('pg_dump pg_dumpall mysqldump mongodump mongoexport', {
    ...connects,
    takes: { ...connects.takes, '-f': 'replace', '--file': 'replace', '--out': 'replace' },
  }),
}

const DESTROYING =
  /\b(?:drop|delete|truncate|update|alter|replace|merge|revoke|flushall|flushdb|del|unlink|deleteMany|deleteOne|dropDatabase|remove|vacuum)\b/i
const WRITING =
  /\b(?:insert|create|copy|attach|load|import|export|into|grant|set|pragma|unload)\b|^\s*\.(?!tables|schema|mode|headers?|help|databases|show|quit|exit|indexes|version|width|timer)/im
// `\! rm x`, `.shell rm x`, `COPY … TO PROGRAM 'x'`: the client runs a shell.
const SHELL = /(?:^|\s)(?:\\!|\.(?:shell|system)\b|system\b)\s*(.+)|\bprogram\s+'([^']+)'/gim
const FILES =
  /(?:\.(?:read|open|import|output|once|dump|save|backup|restore|load|cd)|\\(?:i|ir|o|copy)|\b(?:from|to|outfile|dumpfile|attach(?:\s+database)?))\s+['"]?([./~][\w./~-]*|[\w-]+\.\w+)/gi

function sends(usage: Usage): Act {
  return (call, trace) => {
    applyUsage(usage, call, trace)
    const texts = call.args.slice(call.from + 1).filter((arg) => /\s|^\.|^[A-Z]+$/.test(valueOf(arg)))
    for (const text of texts) {
      if (!isKnown(text)) trace.incomplete('Some of its words are known only when it runs.')
      readStatements(valueOf(text), call, trace)
    }
    const { input } = trace
    const given = literalInput(input) ?? (input?.type === 'HereDoc' ? input.body.text : undefined)
    if (given !== undefined) readStatements(given, call, trace)
    else if (input !== undefined || texts.length === 0) trace.guess(valueOf(call.args[call.from]!))
    if (usage.isOpenWorld !== true) noteFile(call, texts.map(valueOf).join('\n'), trace)
  }
}

/** The database is a file: every statement but a query changes it. */
function noteFile(call: Call, statements: string, trace: Trace): void {
  const file = call.args.find((arg, at) => at > call.from && !valueOf(arg).startsWith('-'))
  if (file === undefined || !(DESTROYING.test(statements) || WRITING.test(statements))) return
  trace.replace(file)
}

function readStatements(text: string, { index }: Call, trace: Trace): void {
  if (DESTROYING.test(text)) trace.destructive('Its statements delete or change data.')
  for (const [, command, program] of matchesOf(SHELL, text))
    trace.engine.runText((command ?? program)!, index, trace)
  for (const [, file] of matchesOf(FILES, text)) {
    trace.read(file!)
    if (!/^select/i.test(text)) trace.write(file!)
  }
}
