import type { ToolcribArtifact } from '../../../../contract/objects/toolcrib-artifact.js'
import type { ArtifactsQuery } from '../../../../crib/artifacts/artifacts-options.js'
import type { ExitCode, Given, GivenOptions } from '../../program/command.js'
import { shortId } from '../../calls/find-call.js'
import { cutText } from '../../terminal/fit-text.js'
import { readSince, toolIdOf } from '../../record/log-filters.js'
import { oneLine } from '../../../../platform/text/printable.js'
import { shortTime } from '../../terminal/short-time.js'
import { sizeText } from '../../terminal/size-text.js'
import type { Terminal } from '../../terminal/terminal.js'
import { withRecord } from '../../record/with-record.js'

export function run(given: Given, terminal: Terminal): Promise<ExitCode> {
  const { json } = given.options
  return withRecord(given, terminal, async (crib) => {
    const query = await readQuery(given.options)
    let count = 0
    for await (const artifact of crib.artifacts(query)) {
      count++
      if (json) terminal.printJson(artifact)
      else for (const line of lines(artifact, terminal)) terminal.print(line)
    }
    if (count === 0 && !json) terminal.say(noneOf(query))
  })
}

function noneOf(query: ArtifactsQuery): string {
  return Object.keys(query).length === 0 ? 'Nothing was delivered yet.' : 'There is no such artifact.'
}

async function readQuery(options: GivenOptions): Promise<ArtifactsQuery> {
  const { tool, session, since, name } = options as Record<string, string | undefined>
  return {
    ...(tool !== undefined && { tool: await toolIdOf(tool, options) }),
    ...(session !== undefined && { session }),
    ...(since !== undefined && { since: readSince(since, Date.now()) }),
    ...(name !== undefined && { name }),
  }
}

const INDENT = ' '.repeat(13)

/** Two lines: id and age; content and origin. */
function lines(
  { artifact_id: id, name, versions }: ToolcribArtifact,
  { style, columns }: Terminal,
): string[] {
  const last = versions.at(-1)!
  const count = versions.length === 1 ? '1 version' : `${versions.length} versions`
  const rest = `  ${count}  ${shortTime(last.created_at, new Date()).trimEnd()}`
  const title = cutText(oneLine(name), columns - INDENT.length - rest.length)
  const about = `${sizeText(last.size_bytes)}  ${oneLine(last.media_type)}  ${oneLine(last.provenance.tool_id)}`
  return [
    `${style.dim(shortId(id))}  ${style.bold(title)}${style.dim(rest)}`,
    `${INDENT}${cutText(about, columns - INDENT.length)}`,
  ]
}
