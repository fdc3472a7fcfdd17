const works = new Set<() => void>()

/** Does the work, which must be synchronous, when the process exits. What it returns takes it back. */
export function beforeExit(work: () => void): () => void {
  // One listener for all: Node warns of a leak when many stores each add their own.
  if (works.size === 0) process.on('exit', runAll)
  works.add(work)
  return () => {
    works.delete(work)
    if (works.size === 0) process.off('exit', runAll)
  }
}

function runAll(): void {
  for (const work of works) {
    try {
      work()
    } catch {
      // The process is ending: there is no one left to tell, and the other works still deserve their turn.
    }
  }
}
