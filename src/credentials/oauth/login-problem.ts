/** A person must act before this server can be used. */
export class LoginNeeded extends Error {
  override readonly name = 'LoginNeeded'
  readonly server: string

  constructor(server: string, message: string) {
    super(message)
    this.server = server
  }
}

/** Getting a token failed; the message is our own. */
export class LoginFailed extends Error {
  override readonly name = 'LoginFailed'
}

/** Format of the codes of RFC 6749 and related standards; any other text of a server is not repeated. */
const CODE = /^[a-z][a-z_]{1,63}$/

/**
 * An error of a step in the flow, safe to show. `peer` is what the login is for, in sentences: `the server "files"`. Errors of libraries quote responses of servers, and with them tokens:
 * only a code is kept from their text.
 */
export function toLoginFailed(peer: string, step: string, error: unknown): LoginFailed | LoginNeeded {
  if (error instanceof LoginFailed || error instanceof LoginNeeded) return error
  return new LoginFailed(`The login at ${peer} failed: ${step} (${reasonOf(error)}).`)
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  const code = codeOf(error)
  if (code !== undefined) return code
  if (error instanceof RequestRefused) return error.message
  switch (error.name) {
    case 'IssuerMismatchError':
      return 'it names another issuer than the one that was asked'
    case 'RegistrationRejectedError':
      return 'it does not register clients like this one; set oauth.clientId'
    case 'TimeoutError':
    case 'AbortError':
      return 'it took too long'
    case 'ZodError':
    case 'SyntaxError':
      return 'its answer cannot be read'
    default:
      return 'it did not answer as it should'
  }
}

/** The code of an OAuth or system error. */
export function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code
  if (typeof code === 'string' && (CODE.test(code) || /^E[A-Z]{2,20}$/.test(code))) return code
  const cause = (error as { cause?: unknown } | undefined)?.cause
  return cause === undefined ? undefined : codeOf(cause)
}

/** A request of the flow that is not sent, or a response that is not accepted. Its message holds nothing secret. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused'
}
