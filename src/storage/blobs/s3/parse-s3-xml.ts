export interface ListedObject {
  key: string
  sizeBytes: number
  lastModified: number
}

export interface ListedPage {
  objects: ListedObject[]
  /** Requests the next page; absent after the last. */
  next: string | undefined
}

/** One page of a listing. The format is flat and fixed, so it needs no XML parser. */
export function parseListing(xml: string): ListedPage {
  const objects: ListedObject[] = []
  for (const [, entry = ''] of xml.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)) {
    const key = textOf(entry, 'Key')
    const sizeBytes = Number(textOf(entry, 'Size'))
    const lastModified = Date.parse(textOf(entry, 'LastModified') ?? '')
    if (key !== undefined && Number.isSafeInteger(sizeBytes) && !Number.isNaN(lastModified))
      objects.push({ key, sizeBytes, lastModified })
  }
  const isCut = textOf(xml, 'IsTruncated') === 'true'
  return { objects, next: isCut ? textOf(xml, 'NextContinuationToken') : undefined }
}

export function textOf(xml: string, element: string): string | undefined {
  const found = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1]
  return found === undefined ? undefined : unescape(found)
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const NAMES: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' }

function unescape(text: string): string {
  return text.replaceAll(
    /&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/g,
    (_, hex, decimal, name) =>
      name ? NAMED[name as string]! : String.fromCodePoint(Number.parseInt(hex ?? decimal, hex ? 16 : 10)),
  )
}

export function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&${NAMES[character]};`)
}
