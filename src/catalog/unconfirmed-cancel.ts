/** Error code of an executor that stopped waiting, but cannot confirm that the work has stopped. */
export const CANCEL_UNCONFIRMED = 'CANCEL_UNCONFIRMED'

/** The error of an executor on abort, where the work runs elsewhere and its end was not confirmed. */
export function unconfirmedCancel(server: string): Error {
  return Object.assign(new Error(`The server "${server}" did not confirm that the work stopped.`), {
    code: CANCEL_UNCONFIRMED,
  })
}
