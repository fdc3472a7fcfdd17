import type { MappedOutput } from '../../results/map-output.js'
import type { CallRun } from '../call-run.js'

/** Longer texts are looked through in parts before anybody asks for all of them at once. */
const LONG_CHARS = 512 * 1024
const MAX_DEPTH = 100

/** Looks for secrets in what is long, part by part. What it returns forgets the texts again. */
export async function prepareLongTexts(mapped: MappedOutput, run: CallRun): Promise<() => void> {
  const { content, modelFacing, structured, native, uiSummary, transcriptText } = mapped
  const texts = new Set<string>()
  for (const form of [content, modelFacing, structured, native, uiSummary, transcriptText])
    collect(form, texts, 0)
  const forget: (() => void)[] = []
  for (const text of texts) forget.push(await run.redactor.prepare(text, run.secrets))
  return () => forget.forEach((each) => each())
}

function collect(value: unknown, texts: Set<string>, depth: number): void {
  if (typeof value === 'string') {
    if (value.length > LONG_CHARS) texts.add(value)
  } else if (typeof value === 'object' && value !== null && depth < MAX_DEPTH)
    for (const key in value) collect((value as Record<string, unknown>)[key], texts, depth + 1)
}
