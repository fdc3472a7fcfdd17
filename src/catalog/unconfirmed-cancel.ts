/** The code of the error with which an executor says that it stopped waiting, but cannot say that the work has stopped. */
export const CANCEL_UNCONFIRMED = 'CANCEL_UNCONFIRMED'

/** What an executor throws on abort when the work is done elsewhere and nobody there confirmed that it stopped. */
export function unconfirmedCancel(server: string): Error {
  return Object.assign(new Error(`The server "${server}" did not confirm that the work stopped.`), {
    code: CANCEL_UNCONFIRMED,
  })
}
