/** Elements whose text is never shown, or not shown as text. */
const NEVER_SHOWN: ReadonlySet<string> = new Set(
  (
    'script style template svg canvas object embed iframe frame audio video datalist noembed noframes param rp area ' +
    'map select'
  ).split(' '),
)

/** Of an inline style: what keeps a person from seeing the text. */
const HIDING: readonly RegExp[] = [
  /(?:^|;)display:none(?:!|;|$)/,
  /(?:^|;)visibility:(?:hidden|collapse)(?:!|;|$)/,
  /(?:^|;)content-visibility:hidden(?:!|;|$)/,
  /(?:^|;)opacity:[-+]?0*(?:\.0*)?%?(?:!|;|$)/,
  /(?:^|;)font-size:[-+]?0*(?:\.0*)?(?:px|r?em|pt|%|ch|ex|v[wh])?(?:!|;|$)/,
  /(?:^|;)(?:-webkit-text-fill-)?color:(?:transparent|rgba\([^)]*,0*(?:\.0*)?\)|#[\da-f]{3}0(?:!|;|$)|#[\da-f]{6}00(?:!|;|$))/,
  /(?:^|;)(?:text-indent|left|right|top|bottom|margin(?:-left|-top)?):-\d{3,}/,
  /(?:^|;)clip:rect\((?:[01](?:px)?[, ]?){4}\)/,
  /(?:^|;)clip-path:(?:inset\((?:50|100)%|circle\(0|polygon\(00)/,
  /(?:^|;)transform:scale[xy]?\(0(?:,0)?\)/,
]

type Attributes = Readonly<Record<string, string>>

/**
 * Whether an element is hidden from a person by its kind, its attributes or its inline style. Style sheets are not
 * read: text that they hide is not known to be hidden.
 */
export function isHidden(name: string, attributes: Attributes): boolean {
  if (NEVER_SHOWN.has(name)) return true
  if ('hidden' in attributes || attributes['aria-hidden']?.trim().toLowerCase() === 'true') return true
  if (name === 'dialog' && !('open' in attributes)) return true
  const { style } = attributes
  return style !== undefined && hides(style)
}

function hides(style: string): boolean {
  const plain = style
    .replaceAll(/\/\*[^]*?(?:\*\/|$)/g, ' ')
    // `d\69splay` is `display` for a browser.
    .replaceAll(/\\([\da-f]{1,6})\s?/gi, (_, code: string) => toCharacter(parseInt(code, 16)))
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([:;,!()]) ?/g, '$1')
    .trim()
  if (HIDING.some((pattern) => pattern.test(plain))) return true
  const isCut = /(?:^|;)overflow(?:-[xy])?:(?:hidden|clip)/.test(plain)
  return isCut && /(?:^|;)(?:max-)?(?:width|height):[01](?:px)?(?:!|;|$)/.test(plain)
}

const toCharacter = (code: number): string =>
  code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ' '
