/**
 * What the name of an argument says about its text. `maybe`: a path if it looks like one. `uri`: a path as a `file:`
 * URL.
 */
export type NameKind = 'path' | 'maybe' | 'uri'

const NOUNS = new Set(
  (
    'path paths pathname pathnames file files filename filenames filepath filepaths dir dirs directory directories ' +
    'dirname dirpath folder folders foldername folderpath cwd workdir workspace outfile outdir infile indir logfile ' +
    'rootdir basedir tmpdir'
  ).split(' '),
)

/** After a noun these still name the file itself: `file_name`, `pathToRead`, `file2`. */
const AFTER_NOUN = new Set('name names list to from of in out old new a b left right'.split(' '))

const MAYBE = new Set(
  (
    'source sources src srcs destination destinations dest dests dst target targets output outputs out input inputs ' +
    'from to root roots base location locations place config configuration settings attachment attachments image ' +
    'images video audio document documents doc docs notebook script template archive log save store storage database db ' +
    'certificate cert key keyfile resource resources mount prefix cd where origin'
  ).split(' '),
)

const URIS = new Set('uri uris url urls href link iri'.split(' '))

const WRITES = new Set(
  'destination destinations dest dests dst output outputs out outfile outdir save to'.split(' '),
)

const COMMANDS = new Set(
  'command commands cmd cmds script scripts shell bash args argv arguments exec code'.split(' '),
)

/** Last words of names for contents that a tool writes into files or sends. */
const CONTENT = new Set(
  (
    'content contents text body data message replacement code markdown html patch diff query prompt description title ' +
    'comment'
  ).split(' '),
)

/** `old_string`, `newStr`: the texts that an edit removes and inserts. */
const EDITED = /^(?:old|new|insert|search|find|replace)(?:ment)?(?:str|string)$/

/** Paths of other things than files. */
const NO_FILES = new Set(['xpath', 'jsonpath', 'jmespath', 'profile', 'profiles'])

/** What the name of an argument tells about its text. */
export interface Named {
  readonly kind: NameKind | undefined
  /** It is a target: something is written there and nothing is read. */
  readonly isTarget: boolean
  /** It is run: paths are among its words. */
  readonly isCommand: boolean
  /** It is the content of files and not a path, if the tool has another argument for the path. */
  readonly isContent: boolean
}

export const UNNAMED: Named = Object.freeze({
  kind: undefined,
  isTarget: false,
  isCommand: false,
  isContent: false,
})

const MAX_NAMES = 10_000
const known = new Map<string, Named>()

/** Argument names are few and repeat, so each is read once. */
export function readName(name: string): Named {
  const before = known.get(name)
  if (before) return before
  if (known.size >= MAX_NAMES) known.clear()
  const words = name.length > 100 ? [] : wordsOf(name)
  const kind = kindOf(words)
  const isTarget = WRITES.has(words[0] ?? '') || WRITES.has(words.at(-1) ?? '')
  const isCommand = words.some((word) => COMMANDS.has(word))
  const isContent = kind === undefined && (CONTENT.has(words.at(-1) ?? '') || EDITED.test(words.join('')))
  const isNothing = kind === undefined && !isTarget && !isCommand && !isContent
  const named = isNothing ? UNNAMED : { kind, isTarget, isCommand, isContent }
  known.set(name, named)
  return named
}

function kindOf(words: readonly string[]): NameKind | undefined {
  const last = words.at(-1)
  if (last === undefined || NO_FILES.has(last)) return undefined
  if (NOUNS.has(last) || NOUNS.has(words.join(''))) return 'path'
  if (words.some((word) => NOUNS.has(word)) && words.slice(1).every(mayFollow)) return 'path'
  if (/(?:path|file|dir|folder|directory)s?$/.test(last)) return 'path'
  if (URIS.has(last)) return 'uri'
  return MAYBE.has(last) || MAYBE.has(words[0]!) ? 'maybe' : undefined
}

const mayFollow = (word: string): boolean =>
  NOUNS.has(word) || AFTER_NOUN.has(word) || /^(?:[a-z]?|\d+)$/.test(word)

/** `inputFile`, `input_file`, `input-file` and `INPUT FILE` are two words. */
export function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .flatMap((word) => word.replaceAll(/([a-zA-Z])(\d)/g, '$1 $2').split(' '))
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase())
}
