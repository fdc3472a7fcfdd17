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
import { clients } from './clients.mjs'
import { createPlace } from './place.mjs'
import { printReport } from './print-report.mjs'
import { tryClient } from './try-client.mjs'
import { whyNotTried } from './why-not-tried.mjs'

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    transport: { type: 'string' },
    times: { type: 'string', default: '10' },
  },
})

async function tryAll() {
  const place = createPlace()
  const expected = await allTools(place).finally(place.remove)
  const rows = []
  const notTried = []
  for (const client of clients.filter(({ id }) => options.only === undefined || options.only === id)) {
    const reason = whyNotTried(client)
    if (reason !== undefined) {
      notTried.push({ client, reason })
      continue
    }
    const { open } = await import(`./clients/${client.id}.mjs`)
    for (const transport of client.transports.filter((one) => (options.transport ?? one) === one)) {
      console.error(`${client.id} over ${transport} …`)
      const seen = await tryClient({
        client: { ...client, open },
        transport,
        times: Number(options.times),
        expected,
      })
      rows.push({ client, transport, ...seen })
    }
  }
  return printReport({ rows, notTried, expected })
}

process.exitCode = isAlone() ? await tryAll() : runAlone()
