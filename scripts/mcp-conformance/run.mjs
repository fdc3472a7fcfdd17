/**
 * Runs the official conformance suite of MCP: against the reference server by itself, against Toolcrib in front of it,
 * and against the client with which Toolcrib reaches servers. Prints the counts side by side.
 *
 *   npm run conformance                         everything
 *   npm run conformance -- --only gateway       one of: direct, gateway, client
 *   npm run conformance -- --revision 2026-07-28
 *   npm run conformance -- --keep folder        keeps what the suite saw of each scenario
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startReferenceServer } from '../../test/peers/reference-server.mjs'
import { judgeLegs, loadExpectedFailures } from './expected-failures.mjs'
import { printLegs } from './print-legs.mjs'
import { revisions, runSuite } from './run-suite.mjs'
import { startGateway } from './start-gateway.mjs'

const { values: options } = parseArgs({
  options: { only: { type: 'string' }, revision: { type: 'string' }, keep: { type: 'string' } },
})
const folder = options.keep ?? mkdtempSync(join(tmpdir(), 'toolcrib-conformance-'))
const wanted = (leg) => options.only === undefined || options.only === leg
const chosen = revisions.filter((revision) => options.revision === undefined || options.revision === revision)

const legs = []
async function runLeg(leg, target) {
  if (!wanted(leg)) return
  for (const revision of chosen) {
    console.error(`${leg}, ${revision} …`)
    legs.push({
      leg,
      revision,
      scenarios: await runSuite({ ...target, revision, folder: join(folder, leg) }),
    })
  }
}

const reference = await startReferenceServer()
await runLeg('direct', { url: reference.url })
if (wanted('gateway')) {
  const gateway = await startGateway(reference.url)
  try {
    await runLeg('gateway', { url: gateway.url })
  } finally {
    await gateway.stop()
  }
}
await reference.close()
const client = new URL('client.mjs', import.meta.url).pathname
await runLeg('client', { command: `${process.execPath} ${client}` })

const verdict = judgeLegs(legs, loadExpectedFailures())
printLegs(legs, verdict)
if (options.keep === undefined) rmSync(folder, { recursive: true, force: true })
process.exitCode = verdict.unexpected.length + verdict.stale.length > 0 ? 1 : 0
