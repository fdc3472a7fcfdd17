/** The result of the work, or undefined after `ms`. The work is not stopped then, and a later failure of it is ignored. */
export async function withTimeLimit<Value>(work: Promise<Value>, ms: number): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<undefined>((resolve) => (timer = setTimeout(resolve, ms, undefined)))
  try {
    return await Promise.race([work, over])
  } finally {
    clearTimeout(timer)
  }
}
