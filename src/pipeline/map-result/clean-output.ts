import type { ContentBlock } from '../../contract/objects/tool-result.js'
import { countMasks } from '../../redaction/count-masks.js'
import { collectSecrets, compileMask } from '../../redaction/mask-fields.js'
import type { MappedOutput } from '../../results/map-output.js'
import type { CallRun } from '../call-run.js'
import { countRedactions } from '../secrets/clean.js'
import { cleanData } from './clean-data.js'
import { FormCounts } from './form-counts.js'
import { withSecrets } from '../secrets/learn-secrets.js'

// One for all calls: redacting never waits.
const counts = new FormCounts()

/** An output without anything secret; the same one where there is nothing to take out. */
export function cleanOutput(mapped: MappedOutput, run: CallRun): MappedOutput {
  const { sensitiveFields } = run.tool!.draft.output
  const isDeclared = sensitiveFields !== undefined && mapped.structured !== undefined
  if (mapped.isBare && !isDeclared) {
    // Its JSON tells all that the value holds: where the text is clean, so is the value.
    const text = mapped.content[0]?.text
    if (text === undefined || run.redactor.text(text, run.secrets) === text) return mapped
  }
  const clean = cleanAll(isDeclared ? maskDeclared(mapped, run, sensitiveFields) : mapped, run)
  const redactions = counts.take()
  if (!redactions) return clean
  countRedactions(run, redactions)
  return { ...clean, redactions }
}

/** Every other form of the output was made from what is now masked. */
function maskDeclared(mapped: MappedOutput, run: CallRun, fields: readonly string[]): MappedOutput {
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

/** Only what the tool said: the record's own words stay, even where one of them happens to be a secret. */
function cleanAll(mapped: MappedOutput, run: CallRun): MappedOutput {
  const { content, modelFacing, structured, checked, isEmpty, isBare, size, redactions, ...said } = mapped
  const blocks = cleanBlocks(content, run)
  const clean: MappedOutput = {
    ...cleanFields(said, run),
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

function cleanForm<Value>(value: Value, run: CallRun): Value {
  const clean = run.redactor.value(value, run.secrets, counts)
  counts.nextForm()
  return clean
}

function cleanFields<Fields extends object>(fields: Fields, run: CallRun): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, cleanForm(value, run)]),
  ) as Fields
}

function cleanBlocks(blocks: ContentBlock[], run: CallRun): ContentBlock[] {
  const clean = blocks.map((block) => cleanBlock(block, run))
  counts.nextForm()
  return clean.every((block, index) => block === blocks[index]) ? blocks : clean
}

/** The names of a block's fields are ours; what stands in them is the tool's. */
function cleanBlock(block: ContentBlock, run: CallRun): ContentBlock {
  const { type, data, ...said } = block
  const clean = run.redactor.value(said, run.secrets, counts)
  const bytes = data === undefined ? undefined : cleanData(data, { block, run, counts })
  if (clean === said && bytes?.fields.data === data) return block
  const isRedacted = clean !== said || bytes?.isRedacted
  return {
    type,
    ...clean,
    ...bytes?.fields,
    ...(isRedacted && { redaction_state: 'partially_redacted' as const }),
  }
}
