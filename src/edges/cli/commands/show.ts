import { allOf } from '../all-of.js'
import type { ExitCode, Given } from '../command.js'
import { findCall } from '../find-call.js'
import { openRecord } from '../open-record.js'
import { usageProblem } from '../usage-problem.js'
import { tellStory } from '../tell-story.js'
import type { Terminal } from '../terminal.js'

export async function run(
  { arguments: [given = ''], options }: Given,
  terminal: Terminal,
): Promise<ExitCode> {
  const record = await openRecord(options)
  if ('missing' in record) {
    throw usageProblem(`There is no call "${given}": nothing was recorded yet in ${record.missing}.`)
  }
  const { crib, tenant } = record
  try {
    const id = await findCall(crib, tenant, given)
    const story = (await crib.story(id))!
    const events = await allOf(crib.events({ invocation: id, tenant }))
    if (options.json) {
      const { invocation, result, decisions, mutations, hooks, progress } = story
      terminal.printJson({ invocation, result, decisions, mutations, hooks, progress, events }, 2)
    } else {
      for (const line of tellStory(story, events, terminal)) terminal.print(line)
    }
    return 0
  } finally {
    await crib.close()
  }
}
