import { MIN_PAGE_CHARS, type Page, type ReadLimits, type ReadRequest } from './page.js'
import type { PayloadSource } from './payload-source.js'
import { readBytes } from './read-bytes.js'
import { readLines } from './read-lines.js'
import { readPointer } from './json/read-pointer.js'
import { searchPayload } from './search/search-payload.js'

/**
 * Reads one page of a payload. Throws only when reading fails or is aborted; a request that cannot be met gets a page
 * that says why.
 */
export async function readPage(
  source: PayloadSource,
  request: ReadRequest,
  limits: ReadLimits,
): Promise<Page> {
  if (limits.maxChars < MIN_PAGE_CHARS)
    throw new RangeError(`A page needs at least ${MIN_PAGE_CHARS} characters, not ${limits.maxChars}.`)
  switch (request.by) {
    case 'bytes':
      return readBytes(source, request, limits)
    case 'lines':
      return readLines(source, request, limits)
    case 'pointer':
      return readPointer(source, request, limits)
    case 'search':
      return searchPayload(source, request, limits)
  }
}
