import type { ExitCode, Given } from '../command.js'
import { findArtifact } from '../find-artifact.js'
import { openRecord } from '../open-record.js'
import { tellArtifact } from '../tell-artifact.js'
import type { Terminal } from '../terminal.js'
import { usageProblem } from '../usage-problem.js'

export async function run(
  { arguments: [given = ''], options }: Given,
  terminal: Terminal,
): Promise<ExitCode> {
  const record = await openRecord(options)
  if ('missing' in record)
    throw usageProblem(`There is no artifact "${given}": nothing was recorded yet in ${record.missing}.`)
  try {
    const artifact = await findArtifact(record.crib, record.tenant, given)
    if (options.json) terminal.printJson(artifact, 2)
    else for (const line of tellArtifact(artifact, terminal)) terminal.print(line)
    return 0
  } finally {
    await record.crib.close()
  }
}
