// Where a started quickstart is found.
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Beside the copy of the example. */
const fileIn = (folder) => join(folder, '.running.json')

/** Says where the crib of a folder is served. Returns a function that takes it back. */
export function announce(folder, port) {
  const file = fileIn(folder)
  // Whoever looks finds the whole file or none.
  const fresh = `${file}.${process.pid}`
  writeFileSync(fresh, `${JSON.stringify({ url: `http://127.0.0.1:${port}`, pid: process.pid })}\n`)
  renameSync(fresh, file)
  return () => rmSync(file, { force: true })
}

/** The crib that is served from a folder, or from one beside it if the first port of the shop was taken. */
export async function findRunning(folder) {
  const [above, name] = [dirname(folder), basename(folder)]
  const folders = readdirSync(above).filter((each) => each === name || each.startsWith(`${name}-`))
  for (const each of folders.sort()) {
    const found = join(above, each)
    const url = addressIn(found)
    if (url !== undefined && (await isReady(url))) return { url, folder: found }
  }
  return undefined
}

function addressIn(folder) {
  try {
    const { url, pid } = JSON.parse(readFileSync(fileIn(folder), 'utf8'))
    // Throws where the process is gone: it was killed, and something else may have its port.
    process.kill(pid, 0)
    return url
  } catch {
    return undefined
  }
}

/** Waits for a server that is starting; false where the signal came first. */
export async function untilReady(url, signal) {
  while (!signal.aborted) {
    if (await isReady(url)) return true
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return false
}

/** Whether a server answers and takes new requests. One that is closing still describes itself, and says so here. */
export async function isReady(url) {
  try {
    const response = await fetch(`${url}/readyz`)
    const { reasons = [] } = await response.json()
    return !reasons.some(({ code }) => code === 'closing')
  } catch {
    return false
  }
}
