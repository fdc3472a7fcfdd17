import { loadSchemaCompiler, type SchemaCompiler } from '../../platform/validation/compile-schema.js'
import { slowPatternsOf } from '../../platform/validation/without-slow-patterns.js'
import { toolIdOf } from '../catalog-tool.js'
import { setupProblemOf } from '../setup-problem-of.js'
import type { ToolDraft } from '../tool-draft.js'
import { compareNames } from './compare-names.js'
import { findHidden } from './find-hidden.js'
import { findInstructions } from './find-instructions.js'
import { lintSeverities, type LintFinding } from './finding.js'
import { findTellingParameter } from './telling-parameters.js'
import { nativeName, toolTexts, type PlacedText } from './tool-texts.js'
import { unshownIn } from './unshown-input.js'
import { writeOut } from './write-out.js'

/** What a source knows of its list and no draft can show. */
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
    // Thousands of schemas take a while, and others work in this process.
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

/** The place of the name of a parameter itself. */
const PARAMETER = /^input(?:\/.+)?\/properties\/[^/]+$/

/** A tool that is full of it is reported once for each place, and not without end. */
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
    const message = `Its ${place} schema cannot be used, so that only objects are told from what is none: ${writeOut(problem)}`
    return [{ toolId: toolIdOf(draft), rule: 'schema_unusable', severity: 'note', message, place }]
  })
}

function slowIn(schema: Record<string, unknown>): string[] {
  try {
    return slowPatternsOf(schema)
  } catch {
    // That it is none is told of as such.
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
    return error instanceof Error ? error.message : String(error)
  }
}

function inOrder(a: LintFinding, b: LintFinding): number {
  const bySeverity = lintSeverities.indexOf(a.severity) - lintSeverities.indexOf(b.severity)
  if (bySeverity !== 0) return bySeverity
  const [left, right] = [`${a.toolId} ${a.rule} ${a.place}`, `${b.toolId} ${b.rule} ${b.place}`]
  return left < right ? -1 : left > right ? 1 : 0
}
