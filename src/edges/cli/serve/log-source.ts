import { oneLine } from '../../../platform/text/printable.js'
import type { SourceStatus } from '../../../sources/source.js'
import { durationText } from '../terminal/duration-text.js'
import { reasonText } from '../../../host/sources/reason-text.js'
import type { Terminal } from '../terminal/terminal.js'

/** Prints one line for each source whose tools cannot be listed, and one when they can be listed again. */
export function logSource(
  terminal: Pick<Terminal, 'explain' | 'printJson' | 'sayStyle'>,
  isJson: boolean,
  now: () => number = Date.now,
): (status: SourceStatus) => void {
  return (status) => {
    const { name, ...rest } = status
    if (isJson) return terminal.printJson({ source: name, ...rest })
    const tools = `${status.tools} ${status.tools === 1 ? 'tool' : 'tools'}`
    if (status.state !== 'failed') return terminal.explain(`${oneLine(name)}: ${status.state}, ${tools}`)
    const { problem, nextRetryAt } = status
    const kept = status.tools > 0 ? `; the ${tools} of its last list stay` : ''
    const retry = nextRetryAt === undefined ? '' : ` (next try in ${durationText(nextRetryAt - now())})`
    terminal.explain(
      `${oneLine(name)}: failed: ${reasonText(problem).replace(/\.$/, '')}${kept}${retry}`,
      terminal.sayStyle.bad,
    )
  }
}
