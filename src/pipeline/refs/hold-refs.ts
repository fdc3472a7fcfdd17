import { isUtf8 } from 'node:buffer'
import type { HeldRefs } from './held-refs.js'
import { parseArtifactRef } from '../../results/artifacts/artifact-ref.js'
import type { RefRun } from './ref-ports.js'
import type { CallState } from '../call-state.js'
import { judgeReading } from '../permission/judge-reading.js'
import { admits, refLocationsIn, replaceRefs, type RefLocation } from './ref-locations.js'
import { RefError, type RefCaller, type RefContent } from './ref-reader.js'

/** A value counts at each occurrence: an executor that serialises the input writes every one of them. */
const MAX_CALL_BYTES = 64 * 1024 * 1024

/** Reads the content of an input's refs, if the caller may read it and the fields allow it. */
export async function holdRefs(
  call: CallState,
  run: RefRun,
  { input, signal }: { input: unknown; signal: AbortSignal },
): Promise<HeldRefs> {
  const locations = refLocationsIn(input, run.tool!.draft.input)
  for (const { ref, use } of locations) {
    if (use === 'write') throw new RefError('read_only', ref)
    if (use === 'judged') throw new RefError('judged', ref)
    // Pinning did not find it. A version that appeared since would not be pinned.
    if (use !== 'keep' && isMoving(ref)) throw new RefError('unknown', ref)
  }
  const who = refCallerOf(run)
  const asks = await judgeReading(call, run, refsFor(locations, ['content', 'base64', 'file']))
  await Promise.all([...refsFor(locations, ['keep'])].map((ref) => run.ports.refs.find(ref, who, 'keep')))
  const files = refsFor(locations, ['file'])
  await Promise.all([...files].map((ref) => run.ports.refs.find(ref, who, 'file')))
  return { contents: await readContents(locations, run, { who, signal }), files, asks }
}

/** The uses that put the content itself into the input. */
const VALUES: readonly RefLocation['use'][] = ['content', 'base64']

function isMoving(ref: string): boolean {
  const parsed = parseArtifactRef(ref)
  return parsed !== undefined && parsed.version === undefined
}

async function readContents(
  locations: readonly RefLocation[],
  { ports }: RefRun,
  { who, signal }: { who: RefCaller; signal: AbortSignal },
): Promise<ReadonlyMap<string, RefContent>> {
  const wanted = refsFor(locations, VALUES)
  let totalBytes = 0
  for (const ref of wanted) {
    const { sizeBytes } = await ports.refs.find(ref, who, 'content')
    totalBytes +=
      sizeBytes * locations.filter(({ ref: at, use }) => at === ref && VALUES.includes(use)).length
    if (totalBytes > MAX_CALL_BYTES) throw new RefError('too_much', ref)
  }
  const contents = new Map<string, RefContent>()
  for (const ref of wanted) contents.set(ref, await ports.refs.content(ref, who, signal))
  return contents
}

function refsFor(
  locations: readonly RefLocation[],
  uses: readonly RefLocation['use'][],
): ReadonlySet<string> {
  return new Set(locations.filter(({ use }) => uses.includes(use)).map(({ ref }) => ref))
}

/** The input with the content of its refs. Refs to files stay, unless `pathOf` gives their files. */
export function withContents(
  input: unknown,
  run: RefRun,
  { contents, pathOf = (ref) => ref }: Pick<HeldRefs, 'contents'> & { pathOf?: (ref: string) => string },
): unknown {
  const made = new Map<string, unknown>()
  return replaceRefs(input, run.tool!.draft.input, ({ ref, use, schema }) => {
    if (use === 'keep') return ref
    if (use === 'file') return pathOf(ref)
    const content = contents.get(ref)
    // A ref that was not there when the call was judged is refused.
    if (!content || !VALUES.includes(use)) throw new RefError('unjudged', ref)
    if (use === 'base64') return content.base64()
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

/**
 * The input for judges. Bytes become a text: rules match texts, and a list of millions of numbers would take minutes.
 */
export function judgedContents(input: unknown, run: RefRun, { contents }: HeldRefs): unknown {
  const texts = new Map<string, RefContent>()
  for (const [ref, { value, ...content }] of contents)
    texts.set(ref, { ...content, value: (mayBe) => asText(value(mayBe)) })
  return withContents(input, run, { contents: texts })
}

function asText(value: unknown): unknown {
  if (!Buffer.isBuffer(value)) return value
  return value.toString(isUtf8(value) ? 'utf8' : 'latin1')
}

export function refCallerOf(run: RefRun): RefCaller {
  const { tenant, actor } = run.row
  // A deny for reading results applies to every way of reading them.
  return { tenant, actor, mayReadResults: run.ports.mayReadResults(run.surface.request) }
}
