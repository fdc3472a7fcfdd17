import type { ToolEvent } from '../../../contract/objects/tool-event.js'
import type { ToolProgress } from '../../../contract/objects/tool-progress.js'
import type { ToolResult } from '../../../contract/objects/tool-result.js'
import type { Call } from '../../../crib/calls/call-handle.js'
import { onInterrupt } from '../terminal/on-interrupt.js'
import { progressText } from '../record/progress-text.js'
import type { Terminal } from '../terminal/terminal.js'

/** Follows a call to its result: shows its progress, and cancels it on Ctrl-C. */
export async function watchCall(
  call: Call,
  { terminal, isVerbose }: { terminal: Terminal; isVerbose: boolean },
): Promise<ToolResult> {
  const stopListening = cancelOnInterrupt(call, terminal)
  try {
    if (terminal.hasReader || isVerbose) {
      for await (const event of call) showProgress(event, terminal, isVerbose)
    }
    return await call
  } finally {
    terminal.showStatus(undefined)
    stopListening()
  }
}

function showProgress({ event_type: type, data }: ToolEvent, terminal: Terminal, isVerbose: boolean): void {
  if (type !== 'tool.invocation.progress') return
  const text = progressText((data?.['progress'] ?? {}) as ToolProgress)
  if (terminal.hasReader && !isVerbose) terminal.showStatus(text)
  else terminal.say(text)
}

function cancelOnInterrupt(call: Call, terminal: Terminal): () => void {
  const end = (): void => call.cancel('user_interruption')
  const onPress = (times: number): void => {
    // The second Ctrl-C ends the process; pending records are written while it exits.
    if (times > 1) process.exit(1)
    if (terminal.hasReader) terminal.say('Canceling; press Ctrl-C again to leave at once.')
    end()
  }
  return onInterrupt({ onPress, end })
}
