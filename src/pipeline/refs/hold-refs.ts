import { isUtf8 } from 'node:buffer'
import type { Verdict } from '../../policy/decision.js'
import { parseArtifactRef } from '../../results/artifacts/artifact-ref.js'
import type { CallRun } from '../call-run.js'
import type { CallState } from '../call-state.js'
import { judgeReading } from '../permission/judge-reading.js'
import { admits, placesIn, replaceRefs, type RefLocation } from './ref-places.js'
import { RefError, type RefCaller, type RefContent } from './ref-reader.js'

/** What the refs of one input stand for. */
export interface HeldRefs {
  /** Of those that are given as values; each is read once, however often it is given. */
  contents: ReadonlyMap<string, RefContent>
  /** Those that are given as files. */
  files: ReadonlySet<string>
  /** Set where whoever reads one of them by the tool made for that would be asked first. */
  asks: Verdict | undefined
}

/** Values count at each place: whoever takes the input over a wire writes out every one of them. */
const MAX_CALL_BYTES = 64 * 1024 * 1024

/** Reads what the refs of an input stand for, as far as the caller may have it at these places. */
export async function holdRefs(
  call: CallState,
  run: CallRun,
  { input, signal }: { input: unknown; signal: AbortSignal },
): Promise<HeldRefs> {
  const places = placesIn(input, run.tool!.draft.input)
  for (const { ref, use } of places) {
    if (use === 'write') throw new RefError('read_only', ref)
    if (use === 'judged') throw new RefError('judged', ref)
    // It led nowhere when it was to be set to a version; what it leads to since would move.
    if (use !== 'keep' && isMoving(ref)) throw new RefError('unknown', ref)
  }
  const who = refCallerOf(run)
  const asks = await judgeReading(call, run, refsFor(places, ['content', 'file']))
  await Promise.all([...refsFor(places, ['keep'])].map((ref) => run.ports.refs.find(ref, who, 'keep')))
  const files = refsFor(places, ['file'])
  await Promise.all([...files].map((ref) => run.ports.refs.find(ref, who, 'file')))
  return { contents: await readContents(places, run, { who, signal }), files, asks }
}

function isMoving(ref: string): boolean {
  const parsed = parseArtifactRef(ref)
  return parsed !== undefined && parsed.version === undefined
}

async function readContents(
  places: readonly RefLocation[],
  { ports }: CallRun,
  { who, signal }: { who: RefCaller; signal: AbortSignal },
): Promise<ReadonlyMap<string, RefContent>> {
  const wanted = refsFor(places, ['content'])
  let totalBytes = 0
  for (const ref of wanted) {
    const { sizeBytes } = await ports.refs.find(ref, who, 'content')
    totalBytes += sizeBytes * places.filter((place) => place.ref === ref && place.use === 'content').length
    if (totalBytes > MAX_CALL_BYTES) throw new RefError('too_much', ref)
  }
  const contents = new Map<string, RefContent>()
  for (const ref of wanted) contents.set(ref, await ports.refs.content(ref, who, signal))
  return contents
}

function refsFor(places: readonly RefLocation[], uses: readonly RefLocation['use'][]): ReadonlySet<string> {
  return new Set(places.filter(({ use }) => uses.includes(use)).map(({ ref }) => ref))
}

/** The input with the values that its refs stand for. Refs to files stay, unless there are files for them. */
export function withContents(
  input: unknown,
  run: CallRun,
  { contents, pathOf = (ref) => ref }: Pick<HeldRefs, 'contents'> & { pathOf?: (ref: string) => string },
): unknown {
  const made = new Map<string, unknown>()
  return replaceRefs(input, run.tool!.draft.input, ({ ref, use, schema }) => {
    if (use === 'keep') return ref
    if (use === 'file') return pathOf(ref)
    const content = contents.get(ref)
    // What was not there when the call was judged is not given to anybody.
    if (!content || use !== 'content') throw new RefError('unjudged', ref)
    const takes = { object: admits(schema, 'object'), array: admits(schema, 'array') }
    const key = `${takes.object} ${takes.array} ${ref}`
    if (!made.has(key))
      made.set(
        key,
        content.value((type) => takes[type]),
      )
    return made.get(key)
  })
}

/** As judges see it. Bytes are a text to them: rules speak of texts, and a list of millions of numbers would take minutes. */
export function judgedContents(input: unknown, run: CallRun, { contents }: HeldRefs): unknown {
  const texts = new Map<string, RefContent>()
  for (const [ref, { sizeBytes, value }] of contents)
    texts.set(ref, { sizeBytes, value: (mayBe) => asText(value(mayBe)) })
  return withContents(input, run, { contents: texts })
}

function asText(value: unknown): unknown {
  if (!Buffer.isBuffer(value)) return value
  return value.toString(isUtf8(value) ? 'utf8' : 'latin1')
}

export function refCallerOf(run: CallRun): RefCaller {
  const { tenant, actor } = run.row
  // Whoever is denied reading results is denied it by every way.
  return { tenant, actor, mayReadResults: run.ports.mayReadResults(run.surface.request) }
}
