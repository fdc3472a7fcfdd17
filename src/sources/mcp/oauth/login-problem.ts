/** A person has to do something before this server can be used. */
export class LoginNeeded extends Error {
  override readonly name = 'LoginNeeded'
  readonly server: string

  constructor(server: string, message: string) {
    super(message)
    this.server = server
  }
}

/** Getting a token did not work, in our own words. */
export class LoginFailed extends Error {
  override readonly name = 'LoginFailed'
}

/** Codes of RFC 6749 and its relatives look like this; whatever else a server writes there is not repeated. */
const CODE = /^[a-z][a-z_]{1,63}$/

/**
 * What a step of the flow threw, as something that may be shown. Errors of libraries quote the answers of servers, and
 * with them tokens: nothing of their text is kept but a code.
 */
export function toLoginFailed(server: string, step: string, error: unknown): LoginFailed | LoginNeeded {
  if (error instanceof LoginFailed || error instanceof LoginNeeded) return error
  return new LoginFailed(`The login at the server "${server}" failed: ${step} (${reasonOf(error)}).`)
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

/** The code of an OAuth error, or of the system. */
export function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code
  if (typeof code === 'string' && (CODE.test(code) || /^E[A-Z]{2,20}$/.test(code))) return code
  const cause = (error as { cause?: unknown } | undefined)?.cause
  return cause === undefined ? undefined : codeOf(cause)
}

/** A request of the flow that we do not send, or an answer that we do not take. Its message holds nothing secret. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused'
}
