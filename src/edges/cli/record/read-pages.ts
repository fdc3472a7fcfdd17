import type { Crib, ReadRefOptions } from '../../../crib/crib.js'
import type { Page, ReadRequest } from '../../../results/read-back/page.js'
import { usageProblem } from '../program/usage-problem.js'

const PAGE_CHARS = 200_000

/** All stored bytes of a ref, in pages, so that any amount can be piped. */
export async function* readPages(
  crib: Pick<Crib, 'read'>,
  ref: string,
  who: ReadRefOptions = {},
): AsyncGenerator<Buffer | string> {
  let request: ReadRequest | undefined = { by: 'bytes' }
  while (request) {
    const page: Page = await crib.read(ref, request, { ...who, maxChars: PAGE_CHARS })
    if (page.kind === 'problem') throw usageProblem(page.problem)
    yield page.kind === 'binary' ? Buffer.from(page.base64, 'base64') : 'text' in page ? page.text : ''
    request = page.next
  }
}
