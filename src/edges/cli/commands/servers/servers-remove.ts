import { shortPath } from '../../../../platform/config/describe-problem.js'
import { oneLine } from '../../../../platform/text/printable.js'
import type { ExitCode, Given } from '../../program/command.js'
import { changeEntriesFile, entriesFile, isReady } from '../../servers/entries-file.js'
import { findEntryOrStop } from '../../servers/find-entry.js'
import type { Terminal } from '../../terminal/terminal.js'

export async function run({ arguments: [name = ''], options }: Given, terminal: Terminal): Promise<ExitCode> {
  const file = await entriesFile(options)
  const { kind, entry } = findEntryOrStop(file, name)
  const where = shortPath(file.path)
  const what = `${kind.noun} "${oneLine(entry)}"`
  const isRemoved = await changeEntriesFile(
    file,
    {
      change: { key: kind.key, remove: [entry] },
      question: `Remove the ${what} from ${where}?`,
      isYes: options['yes'] === true,
    },
    terminal,
  )
  if (!isRemoved) return 1
  if (options.json)
    terminal.printJson({ config: file.path, kind: kind.key, source: entry, trusted: isReady(file) }, 2)
  else terminal.explain(`The ${what} is no longer in ${where}.`)
  return 0
}
