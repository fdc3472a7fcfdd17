/** The address where a link leads that a person may be shown; nothing for what is none of the web. */
export function webLink(text: unknown): URL | undefined {
  if (typeof text !== 'string' || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined
}

const MAX_PICTURE_CHARS = 100_000

/** Icons that only show a picture: from the web, or in their own address. */
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
