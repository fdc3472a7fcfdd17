import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** 5 GB through one tool: its memory and time, and whether all of it is there afterwards. */
const MEGABYTES = Number(process.env.SOAK_MEGABYTES ?? 5_000)
const NEEDED_BYTES = MEGABYTES * 1.2e6
const MAX_GROWTH_BYTES = 100_000_000

const { bavail, bsize } = statfsSync(tmpdir())
if (bavail * bsize < NEEDED_BYTES) {
  const free = Math.floor((bavail * bsize) / 1e9)
  console.log(
    `large result skipped: it needs ${NEEDED_BYTES / 1e9} GB in ${tmpdir()}, and there are ${free} GB; set TMPDIR to a larger place`,
  )
  process.exit(0)
}

const folder = mkdtempSync(join(tmpdir(), 'toolcrib-soak-large-'))
// Also when it is interrupted: five gigabytes must not stay behind.
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

const script = fileURLToPath(new URL('../results/children/stream-large.mjs', import.meta.url))
const said = await new Promise((resolve, reject) => {
  execFile(process.execPath, [script, folder, String(MEGABYTES)], { maxBuffer: 1e8 }, (error, stdout) =>
    error ? reject(error) : resolve(stdout),
  )
})
const { generated, persistence, growthBytes, tookMs, pages } = JSON.parse(said)
const ref = persistence.persisted_ref
const checks = {
  digest: ref?.digest === generated.digest,
  bytes: ref?.size_bytes === generated.bytes,
  lines: ref?.toolcrib?.line_count === generated.lines,
  'memory under 100 MB': growthBytes < MAX_GROWTH_BYTES,
  'line in the middle': pages.middle.text.includes(`${generated.middle}\t${generated.middleLine}`),
  'last line': pages.last.text.includes(generated.lastLine),
  search: pages.search.text.includes(generated.foundLine.trimEnd()),
}
const failed = Object.keys(checks).filter((name) => !checks[name])
console.log(
  `large result: ${MEGABYTES} MB, ${generated.lines} lines in ${Math.round(tookMs / 1000)} s ` +
    `(${Math.round(MEGABYTES / (tookMs / 1000))} MB/s), peak memory growth ${Math.round(growthBytes / 1e6)} MB`,
)
for (const [name, page] of Object.entries(pages))
  console.log(`  page ${name}: ${Math.round(page.tookMs)} ms, ${Math.round(page.readBytes / 1024)} KB read`)
console.log(failed.length === 0 ? 'large result clean' : `large result FAILED: ${failed.join(', ')}`)
process.exit(failed.length === 0 ? 0 : 1)
