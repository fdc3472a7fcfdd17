import { installedVersion } from './installed.mjs'

/** One line for each client and transport, then every failure in the client's own words. Returns the exit code. */
export function printReport({ rows, agentRows, notTried, expected }) {
  const lines = rows.map(({ client, transport, list, read, approval, large }) => [
    client.id,
    installedVersion(client.package),
    transport,
    list,
    read,
    approval,
    large,
  ])
  console.log(`${expected.length} tools behind the gateway.`)
  printTable([['client', 'version', 'transport', 'list', 'read', 'approval', '100 KB file'], ...lines])
  const agentLines = agentRows.map(({ client, transport, connected }) => [
    client.id,
    installedVersion(client.package),
    transport,
    connected,
  ])
  printTable([['coding agent', 'version', 'transport', 'connected'], ...agentLines])
  const all = [...rows, ...agentRows]
  for (const { client, transport, failures } of all)
    for (const failure of failures) console.log(`✗ ${client.id} over ${transport}, ${failure}`)
  for (const { client, reason } of notTried) console.log(`- ${client.id}: not tried, ${reason}`)
  const failed = all.filter(({ failures }) => failures.length > 0).length
  console.log(`${all.length - failed} passed, ${failed} failed, ${notTried.length} not tried`)
  return failed > 0 || all.length === 0 ? 1 : 0
}

function printTable(rows) {
  if (rows.length === 1) return
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)))
  for (const row of rows)
    console.log(row.map((cell, column) => String(cell).padEnd(widths[column])).join('  '))
}
