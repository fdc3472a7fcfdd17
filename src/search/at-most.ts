/** What the work comes to, or nothing where it takes longer. It goes on behind; that it fails then is nobody's matter. */
export async function atMost<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<undefined>((resolve) => (timer = setTimeout(resolve, ms, undefined)))
  try {
    return await Promise.race([work, over])
  } finally {
    clearTimeout(timer)
  }
}
