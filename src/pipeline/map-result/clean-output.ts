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

/** How each member of an output is searched. What is compared with a schema stays as it is: it is not shown. */
const MEMBERS: Readonly<Record<keyof MappedOutput, 'blocks' | 'value' | 'no'>> = {
  content: 'blocks',
  modelFacing: 'blocks',
  structured: 'value',
  uiSummary: 'value',
  transcriptText: 'value',
  summary: 'value',
  resourceRefs: 'value',
  artifactRefs: 'value',
  partialFailure: 'value',
  failure: 'value',
  native: 'value',
  contextModifier: 'value',
  checked: 'no',
  isUnchecked: 'no',
  isEmpty: 'no',
  isBare: 'no',
  isJsonText: 'no',
  size: 'no',
  redactions: 'no',
}
const VALUES = (Object.keys(MEMBERS) as (keyof MappedOutput)[]).filter((name) => MEMBERS[name] === 'value')

/** Only the tool's own data: the record's own field names stay, even if one of them happens to be a secret. */
function cleanAll(mapped: MappedOutput, run: MappedRun): MappedOutput {
  const content = cleanBlocks(mapped.content, run)
  const modelFacing = mapped.modelFacing === mapped.content ? content : cleanBlocks(mapped.modelFacing, run)
  // Copied only where something was found: most outputs have nothing to hide.
  let clean =
    content === mapped.content && modelFacing === mapped.modelFacing
      ? mapped
      : { ...mapped, content, modelFacing }
  for (const name of VALUES) {
    const value = cleanForm(mapped[name], run)
    if (value !== mapped[name]) clean = { ...clean, [name]: value }
  }
  return clean
}

function cleanForm<Value>(value: Value, run: MappedRun): Value {
  // Most outputs have few of the fields.
  if (value === undefined) return value
  const clean = run.redactor.value(value, run.secrets, counts)
  counts.nextForm()
  return clean
}

function cleanBlocks(blocks: ContentBlock[], run: MappedRun): ContentBlock[] {
  let clean: ContentBlock[] | undefined
  for (let at = 0; at < blocks.length; at++) {
    const block = blocks[at]!
    const cleaned = isPlainText(block) ? cleanText(block, run) : cleanBlock(block, run)
    if (cleaned !== block) clean ??= blocks.slice()
    if (clean) clean[at] = cleaned
  }
  counts.nextForm()
  return clean ?? blocks
}

/** A text without further members, as most blocks are. */
function isPlainText(block: ContentBlock): boolean {
  for (const name in block) if (name !== 'type' && name !== 'text') return false
  return typeof block.text === 'string'
}

function cleanText(block: ContentBlock, run: MappedRun): ContentBlock {
  const text = run.redactor.text(block.text!, run.secrets, counts)
  return text === block.text ? block : { type: block.type, text, redaction_state: 'partially_redacted' }
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
