import { cleanText, type Cleaned } from '../secrets/clean.js'
import { errorLayers } from './error-layers.js'
import { httpStatus } from './http-status.js'
import { readMember } from './read-member.js'

const MAX_REF = 120

/**
 * The thrown error as its own protocol names it: `exit_code:2`, `http_status:503`, `ENOENT`, `MongoServerError:11000`,
 * `TypeError`. A foreign id, for logs and bug reports: it points to nothing inside Toolcrib.
 */
export function nativeErrorRef(thrown: unknown, run: Cleaned): string | undefined {
  const ref = refOf(thrown)
  if (ref === undefined) return undefined
  // Before it is truncated: half a secret would not be recognized.
  return cleanText(ref, run)
    .replaceAll(/[^\x20-\x7e]+/g, ' ')
    .slice(0, MAX_REF)
}

function refOf(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null)
    return `thrown:${thrown === null ? 'null' : typeof thrown}`
  const [outer, ...inner] = errorLayers(thrown)
  // A classified failure is the tool's own, so its causes come first.
  const isOurs = readMember(outer, 'errorClass') !== undefined
  for (const layer of isOurs ? [...inner, outer] : [outer, ...inner]) {
    const ref = codeOf(layer)
    if (ref !== undefined) return ref
  }
  const named = isOurs ? inner[0] : outer
  return named === undefined ? undefined : (nameOf(named) ?? 'thrown:object')
}

/** Of several names for the same error, the most specific one. */
function codeOf(error: unknown): string | undefined {
  const status = httpStatus(error)
  if (status !== undefined) return `http_status:${status}`
  return exitOf(error) ?? ownCode(error) ?? firstIssue(error)
}

/** How a child process ended, as `execFile` and `execFileSync` throw it. */
function exitOf(error: unknown): string | undefined {
  const isOfProcess = ['stdout', 'stderr', 'cmd', 'spawnargs'].some(
    (key) => readMember(error, key) !== undefined,
  )
  if (!isOfProcess) return undefined
  const signal = readMember(error, 'signal')
  if (typeof signal === 'string') return `signal:${signal}`
  const candidates = ['code', 'exitCode', 'status'].map((key) => readMember(error, key))
  const code = candidates.find((candidate) => Number.isInteger(candidate))
  return code === undefined ? undefined : `exit_code:${code as number}`
}

function ownCode(error: unknown): string | undefined {
  const code = readMember(error, 'code')
  // A code of ours is in the error already, and is not foreign.
  if (typeof code === 'string' && code !== '') return code.startsWith('toolcrib.') ? undefined : code
  // A bare number means nothing without its class; a DOMException's code is a relic beside its name.
  if (typeof code !== 'number' || error instanceof DOMException) return undefined
  return `${nameOf(error) ?? 'code'}:${code}`
}

/** Schema libraries list their findings. */
function firstIssue(error: unknown): string | undefined {
  const issues = readMember(error, 'issues')
  const code = Array.isArray(issues) ? readMember(issues[0], 'code') : undefined
  return typeof code === 'string' ? `${nameOf(error) ?? 'issue'}:${code}` : undefined
}

/** A class that does not set its `name` still has one. */
function nameOf(error: unknown): string | undefined {
  const name = readMember(error, 'name')
  const found = name === undefined || name === 'Error' ? (className(error) ?? name) : name
  return typeof found === 'string' && found !== '' ? found : undefined
}

function className(error: unknown): string | undefined {
  const made = error instanceof Error ? readMember(error, 'constructor') : undefined
  return typeof made === 'function' && made.name !== '' ? made.name : undefined
}
