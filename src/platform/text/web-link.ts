/** The address of a link that is safe to show to a person; undefined for addresses that are not on the web. */
export function webLink(text: unknown): URL | undefined {
  if (typeof text !== 'string' || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined
}

const MAX_PICTURE_CHARS = 100_000

/** Icons that only show a picture: from the web, or in a data URL. */
export function safeIcons(icons: unknown): unknown[] | undefined {
  if (!Array.isArray(icons)) return undefined
  const safe = icons.filter((icon: unknown) => {
    const src = (icon as { src?: unknown } | null)?.src
    return webLink(src) !== undefined || isPicture(src)
  })
  return safe.length === icons.length ? icons : safe
}

function isPicture(src: unknown): boolean {
  return (
    typeof src === 'string' &&
    src.length <= MAX_PICTURE_CHARS &&
    /^data:image\/(?:png|jpeg|gif|webp)[;,]/i.test(src)
  )
}

/** Schemes whose address is code or a page itself, or that a system passes to a program which obeys the address. */
const RUN_SCHEMES = new Set(
  `javascript vbscript livescript mocha jscript data blob filesystem view-source jar mhtml mk res shell hcp jnlp
  search-ms search ms-msdt ms-officecmd ms-appinstaller ms-cxh ms-cxh-full ms-settings ms-word ms-excel ms-powerpoint
  ms-access ms-visio ms-project ms-publisher applescript itms-services x-apple.systempreferences x-man-page`.split(
    /\s+/,
  ),
)

/**
 * The scheme of a link that a client may execute when a person follows it; undefined for every other text. Browsers
 * skip spaces and controls before a scheme, and line breaks and tabs within it.
 */
export function runScheme(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined
  let scheme = ''
  for (let at = 0; at < text.length && scheme.length < MAX_SCHEME_CHARS; at++) {
    const code = text.charCodeAt(at)
    if (code <= 32 || (code >= 127 && code <= 160)) continue
    if (text[at] === ':') return RUN_SCHEMES.has(scheme) ? scheme : undefined
    scheme += text[at]!.toLowerCase()
  }
  return undefined
}

const MAX_SCHEME_CHARS = 40
