import type { ToolcribDeletedRecord } from '../../../../contract/objects/toolcrib-deleted-record.js'
import { deletedSentence } from '../../calls/find-call.js'
import { allOf } from '../../program/all-of.js'
import type { ExitCode, Given } from '../../program/command.js'
import { isRef, showRef } from '../../record/show-ref.js'
import { storyLines } from '../../record/story-lines.js'
import type { Terminal } from '../../terminal/terminal.js'
import { withCall } from '../../calls/with-call.js'

export function run(given: Given, terminal: Terminal): Promise<ExitCode> {
  if (isRef(given.arguments[0] ?? '')) return showRef(given, terminal)
  return withCall(
    given,
    async ({ crib, tenant, id }) => {
      const story = (await crib.story(id))!
      const events = await allOf(crib.events({ invocation: id, tenant }))
      if (given.options.json) {
        const { invocation, result, decisions, mutations, hooks, progress } = story
        terminal.printJson({ invocation, result, decisions, mutations, hooks, progress, events }, 2)
      } else {
        for (const line of storyLines(story, events, terminal)) terminal.print(line)
      }
    },
    (left) => {
      if (given.options.json) terminal.printJson({ deleted_record: left }, 2)
      else for (const line of deletedLines(left)) terminal.print(line)
    },
  )
}

function deletedLines(left: ToolcribDeletedRecord): string[] {
  const { tool_id: tool, created_at: begun, ended_at: ended, status, event_count: events } = left
  return [
    deletedSentence(left),
    `  tool     ${tool}`,
    `  began    ${begun}`,
    `  ended    ${ended ?? 'unknown'}, ${status}`,
    `  events   ${events}, sha256 ${left.content_sha256}`,
    `  deletion ${left.deletion_id}`,
  ]
}
