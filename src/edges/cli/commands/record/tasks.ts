import { hostname } from 'node:os'
import type { OpenTask } from '../../../../crib/tasks/task.js'
import type { ExitCode, Given } from '../../program/command.js'
import { durationText } from '../../terminal/duration-text.js'
import { shortId } from '../../calls/find-call.js'
import { cutText } from '../../terminal/fit-text.js'
import { oneLine } from '../../../../platform/text/printable.js'
import { progressStatusText } from '../../record/progress-text.js'
import { paintStatus } from '../../terminal/status-mark.js'
import { nameOf } from '../../record/story-lines.js'
import type { Terminal } from '../../terminal/terminal.js'
import { withRecord } from '../../record/with-record.js'

export function run(given: Given, terminal: Terminal): Promise<ExitCode> {
  const { json } = given.options
  return withRecord(given, terminal, async (crib) => {
    let count = 0
    for await (const task of crib.tasks()) {
      count++
      if (json) terminal.printJson(task)
      else for (const line of lines(task, { terminal, now: crib.store.now() })) terminal.print(line)
    }
    if (count === 0 && !json) terminal.say('No call is under way.')
  })
}

const INDENT = ' '.repeat(13)

/** Two lines: the call, its status and its process; and its last progress. */
function lines(
  { invocation, progress, owner }: OpenTask,
  { terminal: { style, columns }, now }: { terminal: Terminal; now: number },
): string[] {
  const { invocation_id: id, status, started_at: started, created_at: created } = invocation
  const name = oneLine(nameOf(invocation))
  const words = status.replaceAll('_', ' ')
  const age = durationText(now - Date.parse(started ?? created))
  const rest = cutText(
    ` for ${age}, ${ownerText(owner)}`,
    columns - INDENT.length - name.length - words.length - 1,
  )
  const last = progress ? [`${INDENT}${cutText(progressStatusText(progress), columns - INDENT.length)}`] : []
  return [
    `${style.dim(shortId(id))}  ${style.bold(cutText(name, columns - INDENT.length))} ${paintStatus(status, words, style)}${style.dim(rest)}`,
    ...last,
  ]
}

function ownerText({ host, pid }: OpenTask['owner']): string {
  if (pid === undefined) return 'by a process that is gone'
  return host === hostname() ? `process ${pid}` : `process ${pid} on ${oneLine(host ?? '')}`
}
