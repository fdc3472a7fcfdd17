// A folder of 500 tool files: the start of its source without and with the compiled cache, the time from a write of one file to
// the changed tool in the catalog, and `toolcrib compile`. Each start runs in a process of its own; figures are medians.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createCrib, memoryStore } from 'toolcrib'
import { toolFileSource } from 'toolcrib/tool-files'

const FILES = 500
const ROUNDS = Number(process.env.ROUNDS ?? 7)
const [, , mode, given] = process.argv

if (mode === 'start') console.log(await startOnce(given))
else await measure()

async function measure() {
  const folder = mkdtempSync(join(tmpdir(), 'toolcrib-bench-'))
  try {
    mkdirSync(join(folder, 'tools'))
    for (let at = 0; at < FILES; at++) writeTool(folder, at, 'Looks things up')
    const start = () =>
      Number(
        execFileSync(process.execPath, [fileURLToPath(import.meta.url), 'start', folder], {
          encoding: 'utf8',
        }),
      )
    const cold = Array.from({ length: ROUNDS }, () => {
      rmSync(join(folder, 'cache'), { recursive: true, force: true })
      return start()
    })
    const cached = Array.from({ length: ROUNDS }, start)
    console.log(`${FILES} tool files, cold start: ${median(cold)} ms`)
    console.log(`${FILES} tool files, start from the compiled cache: ${median(cached)} ms`)
    console.log(`one changed file of ${FILES}, until the catalog has it: ${median(await changes(folder))} ms`)
    const compiles = Array.from({ length: ROUNDS }, () => compileOnce(folder))
    console.log(`toolcrib compile, ${FILES} files, the whole command: ${median(compiles)} ms`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function compileOnce(folder) {
  const command = fileURLToPath(new URL('../bin/toolcrib.js', import.meta.url))
  const started = performance.now()
  execFileSync(process.execPath, [command, 'compile', folder], { stdio: 'ignore' })
  return Math.round(performance.now() - started)
}

function sourceOf(folder) {
  const env = { KB_TOKEN: 'not-a-secret' }
  return toolFileSource({ name: 'bench', folder, cacheFolder: join(folder, 'cache'), env })
}

/** Without the time that loading the library takes. */
async function startOnce(folder) {
  const started = performance.now()
  const crib = await createCrib({ store: memoryStore(), sources: [sourceOf(folder)] })
  const tools = crib.tools().filter(({ toolId }) => toolId.startsWith('aml.')).length
  const ms = performance.now() - started
  if (tools !== FILES) throw new Error(`There are ${tools} tools.`)
  await crib.close()
  return Math.round(ms)
}

async function changes(folder) {
  const crib = await createCrib({ store: memoryStore(), sources: [sourceOf(folder)] })
  const times = []
  for (let round = 0; round < ROUNDS; round++) {
    await sleep(1000)
    const words = `Round ${round}`
    const started = performance.now()
    writeTool(folder, 7, words)
    while (!crib.tool('aml.bench.tool-7').draft.description.startsWith(words)) await sleep(1)
    times.push(Math.round(performance.now() - started))
  }
  await crib.close()
  return times
}

function writeTool(folder, at, words) {
  const text = `---
spec_version: "1.2"
tool_id: "tool-${at}"
version: "1.0.0"
status: "active"
meta:
  name: "Search number ${at}"
  description: >
    ${words} in the index number ${at} of the documentation. Use for product questions. Not for other questions.
  owner: "platform"
  tags: ["search", "product"]
  last_updated: "2026-01-01"
type: "retrieval"
interface:
  input:
    type: object
    properties:
      query: { type: string, description: "Search query." }
      top_k: { type: integer, description: "Maximum of results.", default: 5 }
    required: ["query"]
  output:
    type: object
    properties:
      results:
        type: array
        items:
          type: object
          properties:
            id: { type: string }
            title: { type: string }
          required: ["id", "title"]
      total: { type: integer }
    required: ["results", "total"]
error_codes:
  429: { meaning: "Rate limited", agent_action: "Wait, then retry" }
transport:
  type: "rest-api"
  base_url: "https://kb${at % 5}.internal.example.com/v2"
  endpoint: "POST /search/${at}"
  credentials: { scheme: "bearer-token", source: "env", name: "KB_TOKEN" }
use_guidance:
  use_when: ["a question asks for feature number ${at}"]
  avoid_when: ["a question is conversational"]
  side_effects: "None. Read-only."
---
`
  writeFileSync(join(folder, 'tools', `tool-${at}.tool.md`), text)
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}
