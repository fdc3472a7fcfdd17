/** Paths, numbers, versions, dates and switches: a setting that calls them secret is misnamed. */
const NO_SECRET =
  /^(?:\d+(?:[.:_,-]\d+)*|v?\d+(?:\.\d+)+(?:[-+][\w.]+)?|\d{4}-\d\d-\d\d[T\d:.Z+-]*|(?:file:)?\.{0,2}\/[\w./ @+~:-]*|[A-Za-z]:[\\/].*|~\/.*|https?:\/\/[^\s@?]*|[\w.-]+\.(?:com|net|org|io|dev|local|internal|test)(?::\d+)?)$/i

/** Words that settings consist of. Masking such a word everywhere makes results unreadable. */
const WORDS = new Set(
  `abc account admin administrator africa all allow allowed america android any anonymous api app application asia
  async australia auth auto automatic backend bar base basic batch baz bearer beta boolean bot browser bucket cache
  canada central changeit changeme client cloud cluster config connection console cookie core custom customer data
  database debug default delete demo deny desktop dev develop developer development disable disabled docker document
  dummy east edge email empty enable enabled england english enterprise env environment error europe european example
  external fake false file files filesystem final folder foo foobar france free frontend full function gateway general
  german germany github gitlab global google group guest header hello high home host house html http https hybrid image
  india info information inline input insecure insert integration internal internet invalid item japan javascript json
  key language latest legacy level light limited linux list live local localhost login low machine main manager manual
  master medium member memory message method middle mobile mock mode model module monitor name native network never new
  node none normal north null number object office offline online only open openai optional order organization other
  output owner pacific page pass passwd password personal plain platform playground policy port postgres preview primary
  private process prod product production profile program project protected proxy public python query queue read
  reader readonly readwrite record redis region regular release remote replica report request required resource rest
  result review reviewer role root sample sandbox schema scope secondary secret secure security server service session
  shared simple single south space sqlite stable staging standard start state static status storage store stream strict
  string system table target task team temp temporary tenant test tester testing text time token tool trace training
  trial true trusted type uat unknown unlimited update user username users utf value verbose version video web west
  windows word work worker workspace world write writer yaml yes zone`.split(/\s+/),
)

/** Shorter texts of letters alone are words, or occur in words. */
const SHORTEST_LETTERS = 8
const SHORTEST = 6
/** Several words of this length together occur in no other text by chance. */
const SHORTEST_PHRASE = 12

/**
 * Whether a value occurs in ordinary texts, so that masking it everywhere would hide words and no secret: short texts
 * that do not mix letters and digits, numbers, paths, addresses, and the words that settings consist of, also a few of
 * them (`read-only`) and with a small number (`eu-west-1`).
 */
export function isCommonText(value: string): boolean {
  const text = value.trim()
  if (text.length < SHORTEST || NO_SECRET.test(text)) return true
  if (text.length < SHORTEST_LETTERS && !/\d/.test(text)) return true
  const parts = partsOf(text)
  if (parts.length > 1 && text.length >= SHORTEST_PHRASE) return false
  return parts.every((part) => part.length <= 2 || WORDS.has(part.toLowerCase()))
}

/**
 * Whether a value reads as words, with at most a small number after each: `billing-team`, `europe-west4`, `Ann Smith`.
 */
export function isPlainWords(value: string): boolean {
  return isCommonText(value) || /^\p{L}+\d{0,2}(?:[-_.:,/ ]+(?:\p{L}+\d{0,2}|\d{1,2}))*$/u.test(value.trim())
}

function partsOf(text: string): string[] {
  return text.split(/[^\p{L}\d]+|(?<=\p{L})(?=\d)|(?<=[\p{Ll}])(?=\p{Lu})/u).filter((part) => part !== '')
}
