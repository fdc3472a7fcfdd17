/** A call was made, and this process cannot learn its result: the sentence is printed and the exit code is 1. */
export interface CallLost extends Error {
  code: 'toolcrib.call_lost'
}

export function callLost(message: string): CallLost {
  return Object.assign(new Error(message), { code: 'toolcrib.call_lost' as const })
}

export function isCallLost(error: unknown): error is CallLost {
  return error instanceof Error && 'code' in error && error.code === 'toolcrib.call_lost'
}
