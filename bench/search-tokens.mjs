// The cost in tokens of a task with six steps for 20, 50, 500 and 5,000 tools: all of them in the prompt, or found when
// they are needed. Every turn sends the list of tools and the whole conversation again, as providers bill it; tokens
// are o200k_base.
import { createDice, makeSubjects, makeTools } from './search/make-tools.mjs'
import { runTask } from './search/run-task.mjs'
import { tokensOf } from './search/prompt.mjs'
import { providerName } from '../dist/catalog/provider-name.js'

const SIZES = [20, 50, 500, 5000]
/** The task uses the first tools of the catalog, which every size of it has. */
const STEPS = 6
/** The price of a cached token relative to a new one: an assumption. */
const CACHED_PRICE = 0.1
/** Almost nothing in the prompt: only found tools are loaded. */
const BUDGET = { budgetTokens: 1 }
const WAYS = {
  'all loaded': undefined,
  load: { ...BUDGET, way: 'load' },
  pair: { ...BUDGET, way: 'pair' },
  native: { ...BUDGET, way: 'native' },
}

const subjects = makeSubjects(Math.max(...SIZES), 23)
const tools = makeTools(subjects, 29).map((draft, index) => ({
  ...draft,
  // As it would be without the number: names cost tokens too.
  toolId: `${draft.namespace}.${draft.name}`,
  facts: { is_read_only: true, is_open_world: false },
  execute: () => makeResult(index),
}))

/** A page of entries, about 150 tokens. */
function makeResult(index) {
  const dice = createDice(index)
  const { object, service } = subjects[index]
  const entries = Array.from({ length: 4 }, () => ({
    id: `${object.one.slice(0, 3)}-${dice.below(90_000) + 10_000}`,
    owner: `${service.name}-${dice.below(40)}`,
    status: dice.pick(['open', 'done', 'waiting']),
    changed: `2026-0${1 + dice.below(9)}-1${dice.below(9)}T0${dice.below(9)}:00:00Z`,
  }))
  return { entries, total: entries.length }
}

const SAMPLES = { string: 'A-1042', integer: 20, number: 12.5, boolean: true }
const steps = tools.slice(0, STEPS).map((draft, index) => {
  const { action, manner, object, service } = subjects[index]
  const properties = Object.entries(draft.input.modelSchema.properties)
  const what = [...manner, object.many].join(' ')
  return {
    draft,
    toolId: draft.toolId,
    providerName: providerName(draft.toolId),
    wish: `${action.others[0]} the ${what} in ${service.name}.`,
    queries: [`${action.others[0]} ${what} ${service.name}`, `${action.word} ${what} ${service.name}`],
    input: Object.fromEntries(properties.map(([name, { type }]) => [name, SAMPLES[type]])),
  }
})

const costOf = ({ input, cached }) => input - cached + CACHED_PRICE * cached
const whole = (value) => Math.round(value).toLocaleString('en')
const columns = (cells) =>
  cells.map((cell, index) => (index === 0 ? cell.padEnd(12) : cell.padStart(12))).join('')

const perTool =
  tools.reduce(
    (sum, { description, input }) => sum + tokensOf(JSON.stringify([description, input.modelSchema])),
    0,
  ) / tools.length
console.log(`The description and the schema of a tool take ${Math.round(perTool)} tokens on average\n`)
console.log(
  columns([
    '',
    'turns',
    'searches',
    'input',
    'of it lists',
    'cached',
    'output',
    'largest',
    'times less',
    'and cached',
  ]),
)
const losses = []
function noteLosses({ size, way, ratios: [plain, cached] }) {
  const said = [
    ...(plain < 1 ? [`${(1 / plain).toFixed(2)} times the input`] : []),
    ...(cached < 1 ? [`${(1 / cached).toFixed(2)} times the price with a cache`] : []),
  ]
  if (said.length > 0) losses.push(`${size} tools, ${way}: ${said.join(', ')}`)
}
const run = (size, deferral) => runTask({ drafts: tools.slice(0, size), steps, deferral })
for (const size of SIZES) {
  console.log(`${whole(size)} tools`)
  let all
  for (const [way, deferral] of Object.entries(WAYS)) {
    const bill = await run(size, deferral)
    all ??= bill
    const { turns, searches, input, toolLists, cached, output, largest } = bill
    const ratios = [all.input / input, costOf(all) / costOf(bill)]
    noteLosses({ size, way, ratios })
    console.log(
      columns([
        `  ${way}`,
        ...[turns, searches, input, toolLists, cached, output, largest].map(whole),
        ...ratios.map((ratio) => ratio.toFixed(2)),
      ]),
    )
  }
}
console.log(
  `\n"times less": input of all loaded over this; "and cached": the same where a cached token costs ${CACHED_PRICE} of another.`,
)
console.log(`\nWhere deferral costs more than it saves${losses.length === 0 ? ': nowhere here' : ''}`)
for (const loss of losses) console.log(`  ${loss}`)

/** The number of tools from which deferral costs less. Lists grow with the catalog, so bisection finds it. */
async function breakEven(deferral, cost) {
  let low = STEPS
  let high = Math.max(...SIZES)
  const isCheaper = async (size) => cost(await run(size, deferral)) < cost(await run(size))
  if (await isCheaper(low)) return `${low} or fewer`
  if (!(await isCheaper(high))) return `more than ${high}`
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (await isCheaper(middle)) high = middle
    else low = middle
  }
  return String(high)
}

console.log('\nTools from which on deferral costs less')
for (const [way, deferral] of Object.entries(WAYS)) {
  if (!deferral) continue
  const plain = await breakEven(deferral, ({ input }) => input)
  const cached = await breakEven(deferral, costOf)
  console.log(
    `  ${way.padEnd(8)} ${plain.padStart(14)} by input, ${cached} where what is cached costs ${CACHED_PRICE}`,
  )
}
