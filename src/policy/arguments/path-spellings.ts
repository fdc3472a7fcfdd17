import { join } from 'node:path'

/** No operating system opens a longer path. */
const MAX_CHARS = 4096

/** Network addresses are not files of this machine. */
const NETWORK = /^(?:https?|wss?|ftps?|mailto|data|tel|urn|git|ssh|s3|gs):/i

const SCHEME = /^([a-z][a-z0-9+.-]+):(\/*)(.*)$/is

/**
 * The paths that a text may mean to the program that opens it, as written first: URLs of files, names below the home
 * folder, percent-encoded text, and text without surrounding blanks, quotes and bytes that end a name.
 */
export function spellingsOf(text: string, home: string): string[] {
  if (text === '' || text.length > MAX_CHARS * 3) return []
  const first = fromHome(fromUrl(text) ?? text, home)
  if (isPlain(text)) return [first]
  const all = new Set([first])
  for (const spelling of all) {
    if (all.size > 24) break
    for (const other of variantsOf(spelling)) {
      if (other === '' || other === spelling) continue
      all.add(fromHome(fromUrl(other) ?? other, home))
    }
  }
  // The system accepts no NUL byte in a name; the text before it is another spelling.
  return [...all].filter((each) => each !== '' && each.length <= MAX_CHARS && !each.includes('\0'))
}

/** The usual case: the text has only one reading. */
const isPlain = (text: string): boolean => /^(?:[A-Za-z0-9_/.-][A-Za-z0-9_/. -]*)?[A-Za-z0-9_/-]$/.test(text)

function* variantsOf(text: string): Generator<string> {
  if (text.includes('\0')) yield text.slice(0, text.indexOf('\0'))
  const trimmed = text.trim().replaceAll(/^["'`<([]+|["'`>)\]]+$/g, '')
  yield trimmed
  yield trimmed.replace(/[.\s]+$/, '')
  if (text.includes('%')) yield decoded(text)
  if (text.includes('\\')) {
    yield text.replaceAll('\\', '/')
    yield text.replaceAll(/\\(.)/g, '$1')
  }
  // As command lines have it: `--file=/a`, `@/a`, `name=@/a`.
  const given = /^(?:-{0,2}[\w.-]+=)?@?(.+)$/s.exec(text)?.[1]
  if (given !== undefined) yield given
  // `a.ts:12:3` and `crib.db?mode=ro#x`.
  yield text.replace(/(?::\d+){1,2}$/, '')
  yield text.replace(/[?#].*$/s, '')
  // eslint-disable-next-line no-control-regex
  if (/[^\u0000-\u007F]/.test(text)) {
    yield text.normalize('NFC')
    yield text.normalize('NFD')
    yield text.normalize('NFKC')
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text.replaceAll(/%([0-7][0-9a-f])/gi, (_, code: string) =>
      String.fromCodePoint(Number.parseInt(code, 16)),
    )
  }
}

/** The path in a URL of a file, or of something stored in a file, such as `sqlite:///data/a.db`. */
function fromUrl(text: string): string | undefined {
  const found = SCHEME.exec(text)
  if (!found || NETWORK.test(text)) return undefined
  const [, scheme = '', slashes = '', rest = ''] = found
  const isFile = scheme.toLowerCase() === 'file'
  // `a:b` is a plain name; a scheme is followed by a slash or is `file:`.
  if (!isFile && slashes === '') return undefined
  const path = decoded(rest.replace(/[?#].*$/s, ''))
  if (slashes.length !== 2) return slashes === '' ? path : `/${path}`
  const slash = path.indexOf('/')
  const host = slash === -1 ? path : path.slice(0, slash)
  if (/^(?:localhost|127\.0\.0\.1|\[::1\])$/i.test(host)) return slash === -1 ? '/' : path.slice(slash)
  return isFile && slash !== -1 ? path.slice(slash) : path
}

function fromHome(text: string, home: string): string {
  const found = /^(?:~([^/\\]*)|\$HOME|\$\{HOME\})(?=[/\\]|$)/.exec(text)
  if (!found) return text
  const user = found[1] ?? ''
  const rest = text.slice(found[0].length)
  return user === '' ? join(home, rest) : join(home, '..', user, rest)
}

export const isNetworkAddress = (text: string): boolean => NETWORK.test(text)

/** Whether the whole text may be one path: it begins like one, or has no blank. */
export function isOneName(text: string): boolean {
  return /^[\s"'`@(<[]*(?:[/~%$]|\.{1,2}[/\\]|[a-z][\w+.-]*:[/\\]|file:)|^\s*[^\s/\\%.]*[/\\%.]\S*\s*$/i.test(
    text,
  )
}

/** Whether the path is explicit: from the root, the home folder or the working folder. */
export function isPlaced(spelling: string): boolean {
  return /^(?:\/|\.{1,2}(?:\/|$))/.test(spelling)
}

/** Whether a text looks like a path: it has folders, an extension or a leading dot. */
export function looksLikePath(spelling: string): boolean {
  if (spelling.includes('\n')) return false
  if (spelling.includes('/')) return !NETWORK.test(spelling)
  return /^\.{0,2}[^\s.]+(?:\.[^\s.]+)*\.[A-Za-z]\w{0,11}$|^\.[A-Za-z][\w-]*$|^\.{1,2}$/.test(spelling)
}

const SEPARATORS = /[\n\r,;\t|\0]+|:(?=\/[^/]|~)/
const MAX_LOOSE_PARTS = 64

/** The members of a text that holds a list of paths. A longer text is such a list only if all of it looks like paths. */
export function partsOf(text: string): readonly string[] {
  if (!SEPARATORS.test(text)) return []
  const parts = text.split(SEPARATORS).filter((part) => part.trim() !== '')
  if (parts.length <= MAX_LOOSE_PARTS) return parts
  return parts.every((part) => looksLikePath(part.trim())) ? parts : []
}

const MAX_WORDS = 2000

/** The words of a text that is run, split as most shells would. */
export function commandWords(text: string): readonly string[] {
  return text.split(/[\s;|&<>(){}"'`,=]+/, MAX_WORDS)
}
