import { expect } from 'vitest'
import type { Page, ReadLimits, ReadRequest } from '../../../src/results/read-back/page.js'
import type { PayloadSource } from '../../../src/results/read-back/payload-source.js'
import { readPage } from '../../../src/results/read-back/read-page.js'
import { renderPage } from '../../../src/results/read-back/render-page.js'

/** Every page from a request on; each is checked against the limit. */
export async function readAll(
  source: PayloadSource,
  request: ReadRequest,
  limits: ReadLimits,
): Promise<Page[]> {
  const pages: Page[] = []
  for (let next: ReadRequest | undefined = request; next !== undefined;) {
    const page: Page = await readPage(source, next, limits)
    expect(renderPage(page).length).toBeLessThanOrEqual(limits.maxChars)
    pages.push(page)
    next = page.next
  }
  return pages
}

/** The covered bytes of the pages, joined. */
export function bytesOf(pages: readonly Page[]): Buffer {
  return Buffer.concat(
    pages.map((page) => {
      if (page.kind === 'text') return Buffer.from(page.text)
      if (page.kind === 'binary') return Buffer.from(page.base64, 'base64')
      throw new Error(`a ${page.kind} page: ${renderPage(page)}`)
    }),
  )
}
