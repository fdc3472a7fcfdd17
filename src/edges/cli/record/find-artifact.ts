import { ownCommand } from '../../../platform/text/own-command.js'
import type { ToolcribArtifact } from '../../../contract/objects/toolcrib-artifact.js'
import type { Crib } from '../../../crib/crib.js'
import { usageProblem } from '../program/usage-problem.js'

const MAX_NAMED = 5

/** The artifact that was named by its id, by a unique part of it, or by "last". */
export async function findArtifact(crib: Crib, tenant: string, given: string): Promise<ToolcribArtifact> {
  const exact = await crib.artifact(given, { tenant })
  if (exact) return exact
  let last: ToolcribArtifact | undefined
  const found: ToolcribArtifact[] = []
  for await (const artifact of crib.artifacts({ tenant })) {
    last = artifact
    if (artifact.artifact_id.includes(given) && found.length <= MAX_NAMED) found.push(artifact)
  }
  if (given === 'last') {
    if (last) return last
    throw usageProblem('Nothing was delivered yet, so there is no last artifact.')
  }
  if (found.length === 1) return found[0]!
  if (found.length === 0)
    throw usageProblem(`There is no artifact "${given}"; "${ownCommand('artifacts')}" lists what there is.`)
  const named = found.slice(0, MAX_NAMED).map(({ artifact_id: id }) => id)
  const more = found.length > MAX_NAMED ? ', …' : ''
  throw usageProblem(`"${given}" is part of several artifacts: ${named.join(', ')}${more}.`)
}
