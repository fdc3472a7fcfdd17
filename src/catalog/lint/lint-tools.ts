import { errorMessage } from '../../platform/text/error-message.js'
import { loadSchemaCompiler, type SchemaCompiler } from '../../platform/validation/compile-schema.js'
import { slowPatternsOf } from '../../platform/validation/without-slow-patterns.js'
import { toolIdOf } from '../catalog-tool.js'
import { setupProblemOf } from '../setup-problem-of.js'
import type { ToolDraft } from '../tool-draft.js'
import { compareNames } from './compare-names.js'
import { findHidden } from './find-hidden.js'
import { findInstructions } from './find-instructions.js'
import { lintSeverities, type LintFinding } from './finding.js'
import { nativeName, toolTexts, type PlacedText } from './tool-texts.js'
import { unshownIn } from './unshown-input.js'
import { writeOut } from './write-out.js'

/** A source's note about its list that no draft can show. */
export interface ListNote {
  readonly rule: 'duplicate_name' | 'no_name' | 'left_out' | 'schema_unusable'
  readonly toolId: string
  readonly message: string
}

/** Everything suspicious about these tools, the worst first. */
export async function lintTools(
  drafts: readonly ToolDraft[],
  notes: readonly ListNote[] = [],
): Promise<LintFinding[]> {
  const problemWith = createProblemFinder(await loadSchemaCompiler())
  const findings: LintFinding[] = [
    ...compareNames(drafts),
    ...notes.map((note): LintFinding => ({ ...note, severity: 'warning', place: 'name' })),
  ]
  for (const [at, draft] of drafts.entries()) {
    findings.push(
      ...changedIn(draft),
      ...hiddenIn(draft),
      ...ordersIn(draft),
      ...unusableIn(draft, problemWith),
      ...unshownIn(draft),
    )
    // Thousands of schemas take a while: other work gets a turn.
    if (at % AT_ONCE === AT_ONCE - 1) await new Promise(setImmediate)
  }
  return findings.sort(inOrder)
}

const AT_ONCE = 50

function changedIn(draft: ToolDraft): LintFinding[] {
  const problem = setupProblemOf(draft.availability)
  if (problem?.code !== 'toolcrib.tool_changed') return []
  const { message } = problem
  return [{ toolId: toolIdOf(draft), rule: 'changed', severity: 'error', message, place: 'description' }]
}

function hiddenIn(draft: ToolDraft): LintFinding[] {
  return oncePerPlace(draft, (text) => {
    const hidden = findHidden(text)
    if (hidden === undefined) return undefined
    return { severity: 'error', message: `It hides ${hidden} here: "${writeOut(aroundHidden(text))}".` }
  }).map((finding) => ({ ...finding, rule: 'hidden_characters' }))
}

function ordersIn(draft: ToolDraft): LintFinding[] {
  const about = `${nativeName(draft).replaceAll(/[_-]/g, ' ')} ${draft.description}`
  return oncePerPlace(draft, (text, place) => {
    const order = findInstructions(text)
    if (order) return { severity: 'warning', message: `It ${order.what}: "${writeOut(order.quote)}".` }
    const asked = PARAMETER.test(place) ? findTellingParameter(text, about) : undefined
    return asked === undefined
      ? undefined
      : { severity: 'warning', message: `It ${asked}: "${writeOut(text)}".` }
  }).map((finding) => ({ ...finding, rule: 'instructions' }))
}

/** The location of a parameter's name. */
const PARAMETER = /^input(?:\/.+)?\/properties\/[^/]+$/

/** Limits the findings per rule for one tool. */
const MAX_PER_RULE = 5

type Said = Pick<LintFinding, 'severity' | 'message'>

function oncePerPlace(
  draft: ToolDraft,
  look: (text: string, place: string) => Said | undefined,
): Omit<LintFinding, 'rule'>[] {
  const found = new Map<string, Omit<LintFinding, 'rule'>>()
  for (const { place, text } of textsOf(draft)) {
    if (found.size === MAX_PER_RULE) break
    const said = look(text, place)
    if (said && !found.has(place))
      found.set(place, { toolId: toolIdOf(draft), place: writeOut(place), ...said })
  }
  return [...found.values()]
}

const texts = new WeakMap<ToolDraft, PlacedText[]>()

function textsOf(draft: ToolDraft): PlacedText[] {
  const known = texts.get(draft) ?? toolTexts(draft)
  texts.set(draft, known)
  return known
}

function aroundHidden(text: string): string {
  const at = text.search(
    /\p{Default_Ignorable_Code_Point}|\p{Cf}|[\u2028\u2029\u2800\p{Script=Cyrillic}\p{Script=Greek}]/u,
  )
  return text.slice(Math.max(0, at - 20), at + 20)
}

function unusableIn(draft: ToolDraft, problemWith: ProblemFinder): LintFinding[] {
  // Schemas of a library are checked by the library.
  if (draft.input.vendor !== 'json-schema') return []
  const places = { input: draft.input.modelSchema, output: draft.output.schema }
  return Object.entries(places).flatMap(([place, schema]): LintFinding[] => {
    const slow = schema && draft.provider ? slowIn(schema) : []
    if (slow.length > 0) return [slowFinding(draft, place, slow)]
    const problem = schema && problemWith(schema)
    if (problem === undefined) return []
    const message = `Its ${place} schema cannot be used, so that values are only checked to be objects: ${writeOut(problem)}`
    return [{ toolId: toolIdOf(draft), rule: 'schema_unusable', severity: 'note', message, place }]
  })
}

function slowIn(schema: Record<string, unknown>): string[] {
  try {
    return slowPatternsOf(schema)
  } catch {
    // Another rule reports that it is no schema.
    return []
  }
}

function slowFinding(draft: ToolDraft, place: string, slow: readonly string[]): LintFinding {
  const message = `Its ${place} schema has a pattern that could take very long, and is checked without it: "${writeOut(slow[0]!)}".`
  return { toolId: toolIdOf(draft), rule: 'slow_pattern', severity: 'warning', message, place }
}

type ProblemFinder = (schema: Record<string, unknown>) => string | undefined

/** Tools of one server often have the same schema: it is compiled once. */
function createProblemFinder(compiler: SchemaCompiler): ProblemFinder {
  const known = new Map<string, string | undefined>()
  return (schema) => {
    const text = JSON.stringify(schema)
    if (!known.has(text)) known.set(text, problemOf(schema, compiler))
    return known.get(text)
  }
}

function problemOf(schema: Record<string, unknown>, compiler: SchemaCompiler): string | undefined {
  try {
    compiler.compile(schema)
    return undefined
  } catch (error) {
    return errorMessage(error)
  }
}

function inOrder(a: LintFinding, b: LintFinding): number {
  const bySeverity = lintSeverities.indexOf(a.severity) - lintSeverities.indexOf(b.severity)
  if (bySeverity !== 0) return bySeverity
  const [left, right] = [`${a.toolId} ${a.rule} ${a.place}`, `${b.toolId} ${b.rule} ${b.place}`]
  return left < right ? -1 : left > right ? 1 : 0
}

/** Names of parameters that make a model fill in what it knows about itself and the conversation. */
const OF_THE_MODEL =
  /^(?:(?:full|entire|whole|current|all|the|your|users?|original|previous|prior|last|assistant|model|agent|llm|claude|gpt)_)*(?:system_(?:prompt|message|instructions)|(?:conversation|chat|message|dialog|prompt)_(?:history|log|transcript|so_far|context)|chain_of_thought|reasoning_trace|inner_monologue|thought_process|(?:user_)?(?:prompt|request|query)_verbatim|(?:users?_)?original_(?:prompt|request|message)|(?:available_|all_)?tools?_(?:list|names|available|definitions|descriptions)|list_of_(?:all_)?tools|available_tools|all_tools|(?:tool|previous)_(?:call|tool|result)s?_(?:history|results?|outputs?|log)|previous_(?:messages|conversation|results)|(?:llm|ai|model)_name|model_(?:name|version|identity)|agent_instructions|developer_message|memory_dump)$/

const OF_FILES =
  /^(?:contents?|text|data|output|result|value)s?_(?:from_|of_)(?:reading_|the_|file_|your_)*\w*(?:ssh|id_rsa|env|passwd|credential|secret|key|config|history|token|aws|kube)\w*$|^(?:read|cat|dump)_\w*(?:ssh|id_rsa|env_file|passwd|credentials?)\w*$/

/** Tools about models have such parameters for a reason. */
const ABOUT_MODELS =
  /\b(?:llm|language models?|models?|prompts?|chat|assistants?|agents?|conversations?|completions?|messages?|ai|gpt|claude|gemini|openai|anthropic|training|inference|embedding|reasoning|thinking|thought|tools?)\b/i

/** What a parameter requests by its name; undefined where the tool has a reason for it. */
function findTellingParameter(name: string, about: string): string | undefined {
  const plain = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[\s.-]+/g, '_')
    .toLowerCase()
  if (OF_FILES.test(plain)) return 'asks for a private file by the name of a parameter'
  if (!OF_THE_MODEL.test(plain) || ABOUT_MODELS.test(about)) return undefined
  return 'asks for what the model knows by the name of a parameter'
}
