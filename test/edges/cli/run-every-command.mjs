// Runs every command of the table, or those that are named, in this one process, in the working folder, and prints what each of them ended with.
import { createProgram } from '../../../dist/edges/cli/program/create-program.js'
import { commands } from '../../../dist/edges/cli/program/commands.js'
import { createTerminal } from '../../../dist/edges/cli/terminal/terminal.js'

const [config, ...only] = process.argv.slice(2)

/** The values of arguments, by their names in the table. */
const VALUES = {
  tool: 'evil.run',
  pairs: 'a=1',
  server: 'evil',
  name: 'evil',
  'server-or-tool': 'evil',
  hook: 'evil',
  id: 'last',
  call: 'last',
  client: 'cursor',
  behavior: 'deny',
  rule: 'Bash',
  object: 'tool_result',
  command: 'ls',
}

/** Further forms of a command that do more than its bare form. */
const MORE = {
  // It ends with its input, of which there is only one.
  serve: [['--stdio']],
  call: [
    ['evil.run', '--yes'],
    ['mcp.evil.run', '--yes'],
    ['evil.run', '--background', '--yes'],
  ],
  explain: [['Bash', '--input', '{"command": "ls"}'], ['mcp.evil.run']],
  connect: [
    ['cursor', '--stdio'],
    ['cursor', '--write'],
  ],
  init: [['--yes']],
  trust: [['--yes', '--json'], ['--revoke']],
  import: [
    ['.claude/settings.json', '--dry-run'],
    ['.claude/settings.json', '--to', 'project'],
  ],
  'hooks test': [['evil'], ['asked']],
  'tools search': [['run', '--json']],
}

function argumentsOf({ arguments: rows = [] }) {
  return rows
    .filter(({ name }) => name.startsWith('<'))
    .map(({ name }) => VALUES[name.replaceAll(/[<>.[\]]/g, '')] ?? 'evil')
}

async function run(words) {
  let code = 0
  // A listener that a command leaves would be called in the next one.
  const terminal = createTerminal(process)
  try {
    const program = createProgram(terminal, (ended) => (code = ended))
    await program.parseAsync(['node', 'toolcrib', ...words, ...(config ? ['--config', config] : [])])
  } catch (error) {
    code = 2
    process.stderr.write(`${error.message}\n`)
  }
  process.stdout.write(`\n@@ ${words.join(' ')} -> ${code}\n`)
}

process.setMaxListeners(0)
process.stdout.setMaxListeners(0)
process.stderr.setMaxListeners(0)
const trust = []
for (const row of commands.filter(({ name }) => only.length === 0 || only.includes(name))) {
  const words = row.name.split(' ')
  // A command that waits for callers has its own forms below.
  const forms = row.name === 'serve' ? MORE.serve : [argumentsOf(row), ...(MORE[row.name] ?? [])]
  // Trust comes last: it changes the results of later commands.
  for (const form of forms) {
    if (row.name === 'trust') trust.push([...words, ...form])
    else await run([...words, ...form])
  }
}
for (const words of trust) await run(words)
process.exit(0)
