const works = new Set<() => void>()

/** Runs the work, which must be synchronous, when the process exits. Returns a function that cancels it. */
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
      // The process is exiting: the error cannot be reported, and the other work must still run.
    }
  }
}
