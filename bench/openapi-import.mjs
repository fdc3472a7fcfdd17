// The import of a large OpenAPI document, GitHub's, through a source of tools: compiled in a new process, and taken from
// the compiled cache in another one. Medians; a run is the time that `list()` takes, and the most memory of its process.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openapiSource } from '../lib/openapi.js'

const RUNS = Number(process.env.RUNS ?? 5)
const BOUNDS = {
  compiled: { seconds: 3, megabytes: 400 },
  cached: { seconds: 0.3, megabytes: 400 },
}
const DOCUMENT = fileURLToPath(
  new URL('./openapi-import/node_modules/@octokit/openapi/generated/api.github.com.json', import.meta.url),
)

if (process.argv[2] === 'import') await importOnce(process.argv[3])
else compare()

async function importOnce(cacheFolder) {
  const start = performance.now()
  const source = openapiSource({ name: 'github', document: DOCUMENT, cacheFolder })
  const tools = await source.list(AbortSignal.timeout(60_000))
  const seconds = (performance.now() - start) / 1000
  await source.close()
  const megabytes = process.resourceUsage().maxRSS / 1000
  console.log(JSON.stringify({ seconds, megabytes, tools: tools.length }))
}

function compare() {
  const runs = { compiled: [], cached: [] }
  for (let run = 0; run < RUNS; run++) {
    const cacheFolder = mkdtempSync(join(tmpdir(), 'toolcrib-bench-'))
    for (const kind of ['compiled', 'cached']) {
      const args = [fileURLToPath(import.meta.url), 'import', cacheFolder]
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
      if (status !== 0) throw new Error(`The import failed: ${stderr}`)
      runs[kind].push(JSON.parse(stdout))
    }
    rmSync(cacheFolder, { recursive: true })
  }
  const size = (statSync(DOCUMENT).size / 1e6).toFixed(0)
  console.log(
    `GitHub's description, ${size} MB, ${runs.compiled[0].tools} tools; median of ${RUNS} runs, Node ${process.versions.node}`,
  )
  console.log(`${'import'.padEnd(12)}${'seconds'.padStart(10)}${'MB'.padStart(8)}`)
  for (const [kind, bounds] of Object.entries(BOUNDS)) {
    const seconds = median(runs[kind].map((each) => each.seconds))
    const megabytes = median(runs[kind].map((each) => each.megabytes))
    const isOver = seconds > bounds.seconds || megabytes > bounds.megabytes
    const verdict = isOver ? `  over ${bounds.seconds} s or ${bounds.megabytes} MB` : '  ok'
    console.log(
      `${kind.padEnd(12)}${seconds.toFixed(2).padStart(10)}${megabytes.toFixed(0).padStart(8)}${verdict}`,
    )
    if (isOver) process.exitCode = 1
  }
}

function median(list) {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]
}
