// The quality of search: recall and order over questions with known answers, its confidence when the answer is missing,
// and its cost. With --ablate also what each part of the search contributes.
import { existsSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'
import { ablate } from './search/ablate.mjs'
import { BadInput, loadSet } from './search/load-set.mjs'
import { measureSearch } from './search/measure-search.mjs'
import { sayAblation, sayFigures } from './search/say-figures.mjs'

const SETS = fileURLToPath(new URL('../../shared/data/retrieval/', import.meta.url))
const USAGE =
  'Pass the tools and the queries: npm run bench:search -- --tools <tools.jsonl> --queries <queries.jsonl> [--json] [--ablate] [--sentences]'

function readArguments() {
  try {
    const options = {
      tools: { type: 'string' },
      queries: { type: 'string' },
      json: { type: 'boolean' },
      ablate: { type: 'boolean' },
      sentences: { type: 'boolean' },
    }
    return parseArgs({ options }).values
  } catch (error) {
    throw new BadInput(`${error.message.split('. ')[0]}. ${USAGE}`)
  }
}

/** npm runs scripts in the package's folder; a path may be relative to where npm was called. */
function placeOf(path) {
  const { INIT_CWD } = process.env
  return existsSync(path) || INIT_CWD === undefined ? path : resolve(INIT_CWD, path)
}

function findSets({ tools, queries }) {
  if (tools !== undefined && queries !== undefined)
    return [{ name: tools, toolsFile: placeOf(tools), queriesFile: placeOf(queries) }]
  if (tools !== undefined || queries !== undefined) throw new BadInput(USAGE)
  const names = existsSync(SETS)
    ? readdirSync(SETS).flatMap((file) => (file.endsWith('.tools.jsonl') ? [file.slice(0, -12)] : []))
    : []
  const sets = names.map((name) => ({
    name,
    toolsFile: `${SETS}${name}.tools.jsonl`,
    queriesFile: `${SETS}${name}.queries.jsonl`,
  }))
  const whole = sets.filter(({ queriesFile }) => existsSync(queriesFile))
  if (whole.length === 0) throw new BadInput(USAGE)
  return whole
}

async function measureSet(set, options) {
  const { drafts, queries, repeatedIds, unknownGold } = loadSet(set)
  // The sentence model is installed separately, and only used on request.
  const parts = options.sentences ? { sentences: true } : undefined
  const { figures } = await measureSearch({ drafts, queries }, { parts })
  const notes = {
    ...(unknownGold.length > 0 && { unknownGold }),
    ...(repeatedIds.length > 0 && { repeatedIds }),
  }
  const ablation = options.ablate ? await ablate({ drafts, queries }, parts) : undefined
  return { ...figures, ...notes, ...(ablation && { ablation }) }
}

async function main() {
  const options = readArguments()
  const sets = findSets(options)
  const measured = []
  for (const set of sets) {
    const figures = await measureSet(set, options)
    measured.push([set.name, figures])
    if (options.json) continue
    console.log(sayFigures(set.name, figures))
    if (figures.ablation) console.log(sayAblation(figures.ablation))
  }
  if (!options.json) return
  const isOne = options.tools !== undefined
  console.log(JSON.stringify(isOne ? measured[0][1] : Object.fromEntries(measured)))
}

try {
  await main()
} catch (error) {
  if (!(error instanceof BadInput)) throw error
  console.error(error.message)
  process.exitCode = 2
}
