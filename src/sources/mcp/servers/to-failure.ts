import type { ErrorCode } from '../../../contract/error-codes.js'
import { ownCommand, shellWord } from '../../../platform/text/own-command.js'
import type { NativeFacts } from '../../../catalog/native.js'
import { McpError } from '../protocol/mcp-error.js'
import { AnswerTooLarge, ConnectionLost } from '../connection/connection.js'
import { LoginNeeded } from '../../../credentials/oauth/login-problem.js'
import { nativeIds, type SentRequest } from './native-ids.js'
import { asSentence, ServerUnavailable } from './server-unavailable.js'

interface FailureFacts {
  errorClass: 'execution_failed' | 'dependency_unavailable' | 'credential_missing'
  code: ErrorCode
  nothingHappened?: boolean
  /** The ids of the request, and the error as it came. */
  native?: NativeFacts
}

/** Converts connection and protocol errors to the form that executors throw. Other errors pass unchanged. */
export function toFailure(error: unknown, server: string, sent: LostRequest = {}): unknown {
  if (error instanceof McpError) return refused(error, server, sent)
  if (error instanceof ServerUnavailable)
    return failure(error.message, error, {
      errorClass: 'dependency_unavailable',
      code: 'toolcrib.server_unavailable',
      nothingHappened: true,
    })
  if (error instanceof AnswerTooLarge) return unread(error, server, sent)
  if (error instanceof ConnectionLost) return lost(error, server, sent)
  if (error instanceof LoginNeeded)
    return failure(error.message, error, {
      errorClass: 'credential_missing',
      code: 'toolcrib.server_refused',
      nothingHappened: true,
    })
  return error
}

/** A request, and what the program wrote before it ended. */
type LostRequest = SentRequest & { readonly said?: string | undefined }

function lost(error: ConnectionLost, server: string, { said, ...sent }: LostRequest): Error {
  const what = error.mayHaveRun ? 'the call may have run' : 'the call has not run'
  const words = said === undefined ? '' : ` ${asSentence(said)}`
  const next = ownCommand(`servers show ${shellWord(server)}`)
  return failure(
    `The connection to the server "${server}" was lost before it answered; ${what}. ${asSentence(error.message)}${words} More about it: ${next}`,
    // The message has all details; no other member is needed.
    undefined,
    {
      errorClass: error.mayHaveRun ? 'execution_failed' : 'dependency_unavailable',
      code: 'toolcrib.server_lost',
      nothingHappened: !error.mayHaveRun,
      native: nativeIds(server, sent),
    },
  )
}

function unread(error: AnswerTooLarge, server: string, sent: SentRequest): Error {
  return failure(
    `The server "${server}" ran the call, but its answer is too large to be read: what the call did is not known. ${error.message}`,
    error,
    {
      errorClass: 'execution_failed',
      code: 'toolcrib.answer_too_large',
      native: nativeIds(server, sent),
    },
  )
}

function refused(error: McpError, server: string, sent: SentRequest): Error {
  const { code, message, data } = error
  const reported = { code, message, ...(data !== undefined && { data }) }
  return failure(message === '' ? `The server "${server}" refused the call (${code}).` : message, error, {
    errorClass: 'execution_failed',
    code: 'toolcrib.server_refused',
    native: { ...nativeIds(server, sent), error: reported },
  })
}

function failure(message: string, cause: unknown, facts: FailureFacts): Error {
  return Object.assign(new Error(message, { cause }), facts)
}
