import type { EndedCall } from '../../../crib/monitor/crib-monitor.js'
import { printableJson } from '../../../platform/text/printable.js'
import type { GatewayEvent } from '../../mcp/gateway-events.js'
import type { SeenRequest } from '../../server/watch-requests.js'
import type { Styles } from '../terminal/styles.js'
import type { Terminal } from '../terminal/terminal.js'
import { textOption, type GivenOptions } from '../program/command.js'
import { usageProblem } from '../program/usage-problem.js'

type Level = 'info' | 'warn' | 'error'

/** The log of a server as lines of JSON. No line has content of a call, or a path or query of a request. */
export interface JsonLog {
  request(seen: SeenRequest): void
  call(ended: EndedCall): void
  client(event: GatewayEvent): void
  message(level: Level, text: string): void
  listening(facts: { url: string }): void
}

export function createJsonLog(
  say: (line: string) => void,
  { isQuiet = false, now = () => new Date() }: { isQuiet?: boolean; now?: () => Date } = {},
): JsonLog {
  const write = (level: Level, event: string, facts: object): void =>
    say(printableJson({ time: now().toISOString(), level, event, ...facts }))
  const writeUnlessQuiet: typeof write = isQuiet ? () => {} : write
  return {
    request({ method, route, status, durationMs, actor, requestId }) {
      writeUnlessQuiet(levelOf(status), 'request', {
        request_id: requestId,
        method,
        route,
        status,
        ms: Math.round(durationMs * 10) / 10,
        actor,
      })
    },
    call({ invocationId, toolId, resultStatus, status, durationMs, actor }) {
      const isWell = resultStatus === 'succeeded' || resultStatus === 'redacted'
      writeUnlessQuiet(isWell ? 'info' : 'warn', 'call', {
        invocation_id: invocationId,
        tool: toolId,
        status,
        result_status: resultStatus,
        ms: durationMs,
        actor,
      })
    },
    client(event) {
      // Calls are reported when they end, with those that come another way.
      if (event.kind === 'call') return
      const { name, actor } = event.client
      writeUnlessQuiet('info', event.kind === 'client_came' ? 'client_connected' : 'client_left', {
        client: name,
        actor,
      })
    },
    message: (level, message) => write(level, 'message', { message }),
    listening: ({ url }) => write('info', 'listening', { url, pid: process.pid }),
  }
}

/** The log that `--log` or the config asks for; undefined for the usual text. */
export function jsonLogFor(
  { log: configured }: { readonly log?: 'text' | 'json' | undefined } = {},
  options: GivenOptions,
  terminal: Pick<Terminal, 'say'>,
): JsonLog | undefined {
  const given = textOption(options, 'log')
  if (given !== undefined && given !== 'text' && given !== 'json')
    throw usageProblem(`--log takes text or json, not "${given}".`)
  return (given ?? configured) === 'json'
    ? createJsonLog(terminal.say, { isQuiet: options['quiet'] === true })
    : undefined
}

function levelOf(status: number): Level {
  return status >= 500 ? 'error' : status >= 400 ? 'warn' : 'info'
}

/** A terminal whose sentences to stderr are lines of the log. Nobody is asked there. */
export function loggedTerminal(terminal: Terminal, log: JsonLog): Terminal {
  const sayStyle = plainStyles()
  return {
    ...terminal,
    say: (text) => log.message('info', text),
    // Sentences in the style of bad news are warnings.
    explain: (text, style) => log.message(style === sayStyle.bad ? 'warn' : 'info', text),
    showStatus() {},
    showLines() {},
    sayStyle,
    sayColumns: Number.POSITIVE_INFINITY,
    hasReader: false,
    canRedraw: false,
    isInteractive: false,
  }
}

function plainStyles(): Styles {
  const plain = (): ((text: string) => string) => (text) => text
  return { bold: plain(), dim: plain(), good: plain(), bad: plain(), warn: plain() }
}
