import { MIN_PAGE_CHARS, type Page, type ReadRequest } from '../../results/read-back/page.js'
import { renderPage } from '../../results/read-back/render-page.js'
import { exceeds } from '../../results/previews/sizes/exceeds.js'
import type { SizePolicy } from '../persist-result/size-policy.js'

/** The page size, unless results must be shorter. */
const PAGE_CHARS = 20_000

/** The line that closes a page. */
const CLOSING_LINES = 1

/** Reads a page that fits the limits of results, but never a shorter one than the smallest possible page. */
export async function fitPage(
  request: ReadRequest,
  policy: SizePolicy,
  read: (request: ReadRequest, maxChars: number) => Promise<Page>,
): Promise<Page> {
  const asked = withFewerLines(request, policy.maxLines)
  let maxChars = Math.max(MIN_PAGE_CHARS, Math.min(PAGE_CHARS, policy.maxChars))
  while (true) {
    const page = await read(asked, maxChars)
    if (page.kind === 'problem' || maxChars === MIN_PAGE_CHARS) return page
    if (!(await exceeds(renderPage(page), { ...policy, maxChars: PAGE_CHARS }))) return page
    maxChars = Math.max(MIN_PAGE_CHARS, Math.floor(maxChars / 2))
  }
}

function withFewerLines(request: ReadRequest, maxLines: number | undefined): ReadRequest {
  if (request.by !== 'lines' || maxLines === undefined) return request
  const count = Math.max(1, maxLines - CLOSING_LINES)
  return { ...request, count: Math.min(request.count ?? count, count) }
}
