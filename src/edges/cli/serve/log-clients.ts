import type { ToolResult } from '../../../contract/objects/tool-result.js'
import type { InvocationStatus } from '../../../contract/unions.js'
import { beforeExit } from '../../../platform/processes/before-exit.js'
import { oneLine } from '../../../platform/text/printable.js'
import type { GatewayEvent, SeenCall, SeenClient } from '../../mcp/gateway-events.js'
import { durationText } from '../terminal/duration-text.js'
import { cutText } from '../terminal/fit-text.js'
import { timeOfDay } from '../terminal/short-time.js'
import { paintStatus, statusMark } from '../terminal/status-mark.js'
import { endWord } from '../terminal/status-words.js'
import type { Terminal } from '../terminal/terminal.js'

type LogTerminal = Pick<Terminal, 'say' | 'sayStyle' | 'sayColumns' | 'hasReader'>

/**
 * Prints one line for each client that connects or leaves, for each call that ended, and for each that waits for
 * approval.
 */
export function logClients(
  terminal: LogTerminal,
  now: () => Date = () => new Date(),
): (event: GatewayEvent) => void {
  let lines: string[] = []
  // Written once in a turn: with many calls at once, writing takes longer than all else that a line needs.
  const write = (): void => {
    if (lines.length > 0) terminal.say(lines.join('\n'))
    lines = []
  }
  // The last clients leave when the gateway ends.
  beforeExit(write)
  const say = (client: SeenClient, text: string, paint: (line: string) => string = (line) => line): void => {
    const line = `${terminal.hasReader ? timeOfDay(now()) : now().toISOString()}  ${who(client)}  ${text}`
    if (lines.push(paint(cutText(line, terminal.sayColumns))) === 1) setImmediate(write)
  }
  return (event) => {
    switch (event.kind) {
      case 'client_came':
        return say(event.client, 'connected', terminal.sayStyle.dim)
      case 'client_left':
        return say(event.client, 'left', terminal.sayStyle.dim)
      case 'call':
        return logCall(event.call, { terminal, say })
    }
  }
}

type Say = (client: SeenClient, text: string, paint?: (line: string) => string) => void

function logCall(call: SeenCall, { terminal, say }: { terminal: LogTerminal; say: Say }): void {
  const startedAt = performance.now()
  const tool = oneLine(call.tool)
  const onWait = (pending: unknown): void => {
    if (pending === undefined) return
    const text = `${statusMark('awaiting_approval')} ${tool}  waits for approval`
    say(call.client, text, terminal.sayStyle.warn)
  }
  const onEnd = (result: ToolResult): void => {
    const took = durationText(performance.now() - startedAt)
    const look = lookOf(result)
    say(call.client, `${statusMark(look)} ${tool}  ${outcomeOf(result, took)}`, (line) =>
      look === 'succeeded' ? line : paintStatus(look, line, terminal.sayStyle),
    )
  }
  // A gateway that is closed meanwhile has reported that.
  call.pending().then(onWait, () => {})
  call.result.then(onEnd, () => {})
}

function lookOf({ status, is_error: isError }: ToolResult): InvocationStatus {
  if (!isError) return 'succeeded'
  if (status === 'canceled') return 'canceled'
  return status === 'denied' || status === 'rejected' ? 'denied' : 'failed'
}

function outcomeOf(result: ToolResult, took: string): string {
  const { is_error: isError, error } = result
  const word = `${endWord(result)}, ${took}`
  const why = error?.error_code ?? error?.error_class
  return isError && why !== undefined ? `${word} (${oneLine(why)})` : word
}

/** The program, and the actor where that adds something: "cursor 1.2 (ann)". */
function who({ name, actor }: SeenClient): string {
  return oneLine(name === undefined ? actor : `${name} (${actor})`)
}
