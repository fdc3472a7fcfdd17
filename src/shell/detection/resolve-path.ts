const SLASH = 47
const DOT = 46
const TILDE = 126

/** The folder is unknown: paths below it may be anywhere. */
export const ANYWHERE = '/**'

export interface PathBase {
  readonly cwd: string
  readonly home: string
}

/** Absolute, without `.`, `..` and double slashes. The texts are patterns: their wildcards stay. */
export function resolvePath(path: string, { cwd, home }: PathBase): string {
  const first = path.charCodeAt(0)
  if (first === TILDE) {
    const homely = fromHome(path, home)
    if (homely !== undefined) return resolvePath(homely, { cwd, home })
  }
  // A folder is normalized already.
  if (path === '.') return cwd
  if (needsCleaning(path)) return clean(first === SLASH ? path : `${cwd}/${path}`)
  if (first === SLASH) return path
  return cwd === '/' ? `/${path}` : `${cwd}/${path}`
}

/** `~` and `~/x`; another user's home is unknown. */
function fromHome(path: string, home: string): string | undefined {
  const end = path.indexOf('/')
  const user = end === -1 ? path : path.slice(0, end)
  const rest = end === -1 ? '' : path.slice(end)
  if (user === '~') return home + rest
  return /^~[\w+-][\w.-]*$/.test(user) ? ANYWHERE + rest : undefined
}

/** Whether a part of it is empty, `.` or `..`. */
function needsCleaning(path: string): boolean {
  let before = SLASH
  for (let at = 0; at < path.length; at++) {
    const char = path.charCodeAt(at)
    if (before === SLASH) {
      if (char === SLASH && at > 0) return true
      if (
        char === DOT &&
        (endsPart(path, at + 1) || (path.charCodeAt(at + 1) === DOT && endsPart(path, at + 2)))
      )
        return true
    }
    before = char
  }
  return before === SLASH
}

function endsPart(path: string, at: number): boolean {
  return at >= path.length || path.charCodeAt(at) === SLASH
}

function clean(path: string): string {
  let kept = ''
  let start = 0
  while (start < path.length) {
    let end = start
    while (end < path.length && path.charCodeAt(end) !== SLASH) end++
    const isUp = end - start === 2 && path.startsWith('..', start)
    if (isUp) kept = withoutLast(kept)
    else if (end > start && !(end - start === 1 && path.charCodeAt(start) === DOT))
      kept += `/${path.slice(start, end)}`
    start = end + 1
  }
  return kept === '' ? '/' : kept
}

/** One step up. From an unknown folder the result is unknown too. */
function withoutLast(path: string): string {
  const last = path.lastIndexOf('/')
  if (last === -1) return ''
  return path.includes('**', last) ? path : path.slice(0, last)
}
