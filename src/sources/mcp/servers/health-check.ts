import { McpError } from '../protocol/mcp-error.js'
import type { McpConnection } from '../connection/connection.js'
import { isListening } from '../../../http-client/is-listening.js'

export interface HealthCheckOptions {
  /** The address of the server, where it has one. */
  readonly url: string | undefined
  readonly everyMs: number
  /** Timeout for an answer, and the delay before the next check where none came. */
  readonly waitMs: number
  current(): McpConnection | undefined
  /** Called when the server did not answer, with the number of failures in a row. */
  onSilent(connection: McpConnection, times: number): void
  /** It answers again. */
  onWell(connection: McpConnection): void
}

/** Pings a server that has been quiet for a while. */
export interface HealthCheck {
  check(): Promise<void>
  close(): void
}

export function createHealthCheck({
  url,
  everyMs,
  waitMs,
  current,
  onSilent,
  onWell,
}: HealthCheckOptions): HealthCheck {
  let timer: NodeJS.Timeout | undefined
  let checking: Promise<void> | undefined
  let silent: { connection: McpConnection; times: number } | undefined
  let isClosed = false

  function later(): void {
    clearTimeout(timer)
    if (!isClosed) timer = setTimeout(() => void check(), silent ? waitMs : everyMs).unref()
  }

  async function look(): Promise<void> {
    const connection = current()
    if (connection) {
      const answers =
        url === undefined ? await answersPing(connection, waitMs) : await isListening(new URL(url))
      if (!isClosed && current() === connection) note(connection, answers)
    }
    later()
  }

  function note(connection: McpConnection, answers: boolean): void {
    const before = silent?.connection === connection ? silent.times : 0
    silent = answers ? undefined : { connection, times: before + 1 }
    if (silent) onSilent(connection, silent.times)
    else if (before > 0) onWell(connection)
  }

  function check(): Promise<void> {
    checking ??= look().finally(() => (checking = undefined))
    return checking
  }

  later()
  return {
    check,
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

/** Any answer shows that the server is alive. */
async function answersPing(connection: McpConnection, waitMs: number): Promise<boolean> {
  try {
    await connection.request('ping', undefined, { signal: AbortSignal.timeout(waitMs) })
    return true
  } catch (error) {
    return error instanceof McpError
  }
}
