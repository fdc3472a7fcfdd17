/** A command that cannot be carried out as it was typed: the sentence is printed and the exit code is 2. */
export interface UsageProblem extends Error {
  code: 'toolcrib.usage'
}

export function usageProblem(message: string): UsageProblem {
  return Object.assign(new Error(message), { code: 'toolcrib.usage' as const })
}

export function isUsageProblem(error: unknown): error is UsageProblem {
  return error instanceof Error && 'code' in error && error.code === 'toolcrib.usage'
}
