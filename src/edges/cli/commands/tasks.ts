import { hostname } from 'node:os'
import type { OpenTask } from '../../../runtime/task.js'
import type { ExitCode, Given } from '../command.js'
import { durationText } from '../duration-text.js'
import { shortId } from '../find-call.js'
import { cutText } from '../fit-text.js'
import { openRecord } from '../open-record.js'
import { oneLine } from '../printable.js'
import { paintStatus } from '../status-mark.js'
import { nameOf } from '../tell-story.js'
import { progressWords } from '../tell-progress.js'
import type { Terminal } from '../terminal.js'

export async function run({ options }: Given, terminal: Terminal): Promise<ExitCode> {
  const record = await openRecord(options)
  if ('missing' in record) {
    if (!options.json) terminal.say(`Nothing was recorded yet in ${record.missing}.`)
    return 0
  }
  const { crib } = record
  try {
    let count = 0
    for await (const task of crib.tasks()) {
      count++
      if (options.json) terminal.printJson(task)
      else for (const line of lines(task, terminal)) terminal.print(line)
    }
    if (count === 0 && !options.json) terminal.say('No call is under way.')
    return 0
  } finally {
    await crib.close()
  }
}

const INDENT = ' '.repeat(13)

/** Two lines: which call, where it stands, who runs it; and what it last said. */
function lines({ invocation, progress, owner }: OpenTask, { style, columns }: Terminal): string[] {
  const { invocation_id: id, status, started_at: started, created_at: created } = invocation
  const name = oneLine(nameOf(invocation))
  const words = status.replaceAll('_', ' ')
  const age = durationText(Date.now() - Date.parse(started ?? created))
  const rest = cutText(
    ` for ${age}, ${ownerText(owner)}`,
    columns - INDENT.length - name.length - words.length - 1,
  )
  const last = progress ? [`${INDENT}${cutText(progressWords(progress), columns - INDENT.length)}`] : []
  return [
    `${style.dim(shortId(id))}  ${style.bold(cutText(name, columns - INDENT.length))} ${paintStatus(status, words, style)}${style.dim(rest)}`,
    ...last,
  ]
}

function ownerText({ host, pid }: OpenTask['owner']): string {
  if (pid === undefined) return 'by a process that is gone'
  return host === hostname() ? `process ${pid}` : `process ${pid} on ${oneLine(host ?? '')}`
}
