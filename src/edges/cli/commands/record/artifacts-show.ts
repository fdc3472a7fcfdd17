import type { ExitCode, Given } from '../../program/command.js'
import { findArtifact } from '../../record/find-artifact.js'
import { openRecord } from '../../record/open-record.js'
import { artifactLines } from '../../record/artifact-lines.js'
import type { Terminal } from '../../terminal/terminal.js'
import { usageProblem } from '../../program/usage-problem.js'

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
    else for (const line of artifactLines(artifact, terminal)) terminal.print(line)
    return 0
  } finally {
    await record.crib.close()
  }
}
