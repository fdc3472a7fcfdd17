import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { rmSync } from 'node:fs'
import type { ToolResult } from 'toolcrib'
import { shownText } from '../scenarios/open-crib.js'
import { temporaryFolder } from '../temporary-folder.js'

const MEGABYTES = 200
const MAX_GROWTH_BYTES = 100_000_000
/** A page is read in steps of the store's size; a scan from the start would read half of everything. */
const MAX_PAGE_BYTES = 1_000_000

interface Page {
  readBytes: number
  status: string
  text: string
}

interface Report {
  generated: {
    bytes: number
    lines: number
    digest: string
    middle: number
    first: string
    middleLine: string
    lastLine: string
    foundLine: string
  }
  result: ToolResult
  persistence: Record<string, unknown>
  growthBytes: number
  pages: Record<'first' | 'middle' | 'last' | 'bytes' | 'search', Page>
}

describe(`${MEGABYTES} MB that a tool streams`, () => {
  let report: Report

  beforeAll(async () => {
    const folder = temporaryFolder()
    try {
      const script = fileURLToPath(new URL('./children/stream-large.mjs', import.meta.url))
      // A separate process: other tests here use memory too.
      const env = { ...process.env, NODE_OPTIONS: '' }
      const { stdout } = await promisify(execFile)(process.execPath, [script, folder, String(MEGABYTES)], {
        env,
        maxBuffer: 1e8,
      })
      report = JSON.parse(stdout) as Report
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }, 240_000)

  it('[AT-RES-02] are stored whole: size, lines and digest equal those of their source', () => {
    const { generated, result, persistence } = report
    expect(result).toMatchObject({ status: 'succeeded', is_error: false })
    const { uri } = result.persisted_payload_ref!
    expect(persistence).toMatchObject({
      strategy: 'preview_and_persist',
      reason: 'result_exceeded_inline_limit',
      original_size_bytes: generated.bytes,
      persisted_ref: {
        uri,
        media_type: 'text/plain',
        size_bytes: generated.bytes,
        digest: generated.digest,
        toolcrib: { line_count: generated.lines },
      },
    })
  })

  it('take less than 100 MB of memory', () => {
    expect(report.growthBytes).toBeLessThan(MAX_GROWTH_BYTES)
  })

  it('are previewed by their beginning, their end, and the errors between', () => {
    const { generated, result, persistence } = report
    const text = shownText(result)
    expect(text.length).toBeLessThanOrEqual(2000)
    expect(persistence['preview_size_bytes']).toBe(Buffer.byteLength(text))
    expect(text.startsWith(generated.first)).toBe(true)
    expect(text).toContain(generated.lastLine)
    expect(text).toMatch(/^10,001: 0000010000 ERROR failed to read the part aab\.+$/m)
    expect(text).toMatch(/^1,990,001: 0001990000 ERROR failed to read the part ahr\.+$/m)
    expect(text).toContain('The output has 200,000,000 bytes in 2,000,000 lines')
    expect(text).toContain('result.read')
  })

  it('are read by lines, anywhere, without a scan from the start', () => {
    const { generated, pages } = report
    const { middle, middleLine, lines, lastLine } = generated
    expect(pages.middle.text).toContain(`${middle}\t${middleLine}`)
    expect(pages.last.text).toContain(`${lines}\t${lastLine}`)
    for (const page of [pages.first, pages.middle, pages.last]) {
      expect(page.status).toBe('succeeded')
      expect(page.readBytes).toBeLessThan(MAX_PAGE_BYTES)
    }
  })

  it('are read by bytes', () => {
    const { bytes } = report.pages
    expect(bytes.text).toContain(`${String(report.generated.middle).padStart(10, '0')} `)
    expect(bytes.readBytes).toBeLessThan(MAX_PAGE_BYTES)
  })

  it('are searched from any position', () => {
    const { generated, pages } = report
    expect(pages.search.text).toContain(`${generated.middle + 8}:${generated.foundLine.trimEnd()}`)
    expect(pages.search.text).toMatch(/1 match in bytes/)
  })
})
