/** The message of an error, or the text of any other thrown value. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The same for values thrown by other people's code: reading such a value may itself throw. */
export function safeErrorMessage(error: unknown): string {
  try {
    return errorMessage(error)
  } catch {
    return 'it cannot be said how'
  }
}
