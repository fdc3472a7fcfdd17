import type { ContentBlock } from '../../contract/objects/tool-result.js'
import { countMasks } from '../../redaction/count-masks.js'
import { collectSecrets, compileMask } from '../../redaction/mask-fields.js'
import type { Tally } from '../../redaction/redactor.js'
import type { MappedOutput } from '../../results/map-output.js'
import type { MappedRun } from './mask-ports.js'
import { countRedactions, type RedactionCounts } from '../secrets/clean.js'
import { cleanData } from './clean-data.js'
import { withSecrets } from '../secrets/learn-secrets.js'

/**
 * Counts the redactions in one output. Its text, its structure and its model-facing content are forms of the same: a
 * secret in each of them is one finding, so only the form with the most findings counts.
 */
class FormCounts implements Tally {
  #most: Record<string, number> | undefined = undefined
  #form: Record<string, number> | undefined = undefined

  add(rule: string): void {
    const form = (this.#form ??= {})
    form[rule] = (form[rule] ?? 0) + 1
  }

  /** From here on, findings count for another form. */
  nextForm(): void {
    if (!this.#form) return
    const most = (this.#most ??= {})
    for (const [rule, count] of Object.entries(this.#form)) most[rule] = Math.max(most[rule] ?? 0, count)
    this.#form = undefined
  }

  /** Returns the counts and resets them for the next output. */
  take(): RedactionCounts | undefined {
    this.nextForm()
    const most = this.#most
    this.#most = undefined
    return most
  }
}

// One for all calls: redacting is synchronous.
const counts = new FormCounts()

/** The redacted output; the same object if there is nothing to redact. */
export function cleanOutput(mapped: MappedOutput, run: MappedRun): MappedOutput {
  const { sensitiveFields } = run.tool!.draft.output
  const isDeclared = sensitiveFields !== undefined && mapped.structured !== undefined
  if (mapped.isBare && !isDeclared) {
    // The JSON text holds everything in the value: if the text is clean, so is the value.
    const text = mapped.content[0]?.text
    if (text === undefined || isClean(text, run)) return mapped
  } else if (mapped.isJsonText && !isDeclared) {
    const text = mapped.content[0]?.text ?? ''
    // Apart: joining them would copy the text, and most calls of a tool have the same native facts.
    if (isClean(text, run) && (!mapped.native || isClean(JSON.stringify(mapped.native), run))) return mapped
  }
  const clean = cleanAll(isDeclared ? maskDeclared(mapped, run, sensitiveFields) : mapped, run)
  const redactions = counts.take()
  if (!redactions) return clean
  countRedactions(run, redactions)
  return { ...clean, redactions }
}

const isClean = (text: string, run: MappedRun): boolean => run.redactor.text(text, run.secrets) === text

/** The other forms of the output were made from the values that are now masked. */
function maskDeclared(mapped: MappedOutput, run: MappedRun, fields: readonly string[]): MappedOutput {
  const structured = compileMask(fields)!(mapped.structured)
  if (structured === mapped.structured) return mapped
  withSecrets(run, collectSecrets(mapped.structured, fields))
  for (let left = countMasks(structured) - countMasks(mapped.structured); left > 0; left--)
    counts.add('declared_field')
  counts.nextForm()
  if (!mapped.isBare) return { ...mapped, structured }
  const text = JSON.stringify(structured)
  const content: ContentBlock[] = [{ type: 'text', text, redaction_state: 'partially_redacted' }]
  return { ...mapped, structured, content, modelFacing: content }
}

/** Only the tool's own data: the record's own field names stay, even if one of them happens to be a secret. */
function cleanAll(mapped: MappedOutput, run: MappedRun): MappedOutput {
  const { content, modelFacing, structured, checked, isEmpty, isBare, size, redactions, ...fields } = mapped
  const blocks = cleanBlocks(content, run)
  const clean: MappedOutput = {
    ...cleanFields(fields, run),
    content: blocks,
    modelFacing: modelFacing === content ? blocks : cleanBlocks(modelFacing, run),
    structured: cleanForm(structured, run),
    checked,
    isEmpty,
    isBare,
    size,
    redactions,
  }
  const names = Object.keys(clean) as (keyof MappedOutput)[]
  return names.every((name) => clean[name] === mapped[name]) ? mapped : clean
}

function cleanForm<Value>(value: Value, run: MappedRun): Value {
  // Most outputs have few of the fields.
  if (value === undefined) return value
  const clean = run.redactor.value(value, run.secrets, counts)
  counts.nextForm()
  return clean
}

function cleanFields<Fields extends object>(fields: Fields, run: MappedRun): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, cleanForm(value, run)]),
  ) as Fields
}

function cleanBlocks(blocks: ContentBlock[], run: MappedRun): ContentBlock[] {
  const clean = blocks.map((block) => cleanBlock(block, run))
  counts.nextForm()
  return clean.every((block, index) => block === blocks[index]) ? blocks : clean
}

/** The names of a block's fields are ours; their values are the tool's. */
function cleanBlock(block: ContentBlock, run: MappedRun): ContentBlock {
  const { type, data, ...fields } = block
  const clean = run.redactor.value(fields, run.secrets, counts)
  const bytes = data === undefined ? undefined : cleanData(data, { block, run, counts })
  if (clean === fields && bytes?.fields.data === data) return block
  const isRedacted = clean !== fields || bytes?.isRedacted
  return {
    type,
    ...clean,
    ...bytes?.fields,
    ...(isRedacted && { redaction_state: 'partially_redacted' as const }),
  }
}
