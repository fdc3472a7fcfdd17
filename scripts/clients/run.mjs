/**
 * Real MCP clients against `toolcrib serve`, over stdio and HTTP: does each list all tools every time, read a file, get an
 * approval through and read a file of 100 KB? Runs in a network namespace with loopback alone.
 *
 *   npm run clients                             everything, lists ten times
 *   npm run clients -- --only mcp-sdk-v1        one client, by its file in clients/
 *   npm run clients -- --transport stdio --times 2
 */
import { parseArgs } from 'node:util'
import { allTools } from './all-tools.mjs'
import { isAlone, runAlone } from './alone.mjs'
import { agents, clients } from './clients.mjs'
import { createWorkspace } from './workspace.mjs'
import { printReport } from './print-report.mjs'
import { tryAgent } from './try-agent.mjs'
import { tryClient } from './try-client.mjs'
import { whyNotTried } from './why-not-tried.mjs'

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    transport: { type: 'string' },
    times: { type: 'string', default: '10' },
  },
})

const transportsOf = ({ transports }) => transports.filter((one) => (options.transport ?? one) === one)

async function tryAll() {
  const workspace = createWorkspace()
  const expected = await allTools(workspace).finally(workspace.remove)
  const report = { rows: [], agentRows: [], notTried: [], expected }
  for (const listed of [...clients, ...agents]) {
    if (options.only !== undefined && options.only !== listed.id) continue
    const reason = whyNotTried(listed)
    if (reason !== undefined) report.notTried.push({ client: listed, reason })
    else await tryOver(listed, report)
  }
  return printReport(report)
}

async function tryOver(listed, { rows, agentRows, expected }) {
  const client = { ...listed, ...(await import(`./clients/${listed.id}.mjs`)) }
  for (const transport of transportsOf(listed)) {
    console.error(`${client.id} over ${transport} …`)
    if (agents.includes(listed))
      agentRows.push({ client, transport, ...(await tryAgent({ agent: client, transport, expected })) })
    else {
      const times = Number(options.times)
      rows.push({ client, transport, ...(await tryClient({ client, transport, times, expected })) })
    }
  }
}

process.exitCode = isAlone() ? await tryAll() : runAlone()
