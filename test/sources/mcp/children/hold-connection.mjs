// Connects to a program, prints its process id, and ends without closing. Usage: node hold-connection.mjs <program>
// exit|kill
import { connect } from '../../../../dist/sources/mcp/connection/connect.js'

const [program, end] = process.argv.slice(2)
const connection = await connect({
  name: 'held',
  settings: { command: process.execPath, args: [program, 'plain'] },
  clientInfo: { name: 'tests', version: '1.0.0' },
  signal: AbortSignal.timeout(20_000),
  onNotification() {},
})
process.stdout.write(`${connection.pid}\n`)
if (end === 'exit') setTimeout(() => process.exit(0), 50)
