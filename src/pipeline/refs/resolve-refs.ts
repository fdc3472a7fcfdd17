import type { RefRun } from './ref-ports.js'
import { inputOf, type CallState } from '../call-state.js'
import { canceledStep } from '../failures/canceled.js'
import { holdRefs, refCallerOf, withContents } from './hold-refs.js'
import type { HeldRefs } from './held-refs.js'
import { inTime, Interrupted } from '../execute/in-time.js'
import { learnSecrets } from '../secrets/learn-secrets.js'
import { refLocationsIn } from './ref-locations.js'
import { RefError, type RefFile } from './ref-reader.js'
import { stop, type Stop } from '../step.js'
import { toolError } from '../failures/tool-error.js'

/** Reads the content of a call's refs, or ends the call before anyone has to approve it. */
export async function takeRefs(call: CallState, run: RefRun): Promise<HeldRefs | Stop> {
  try {
    const input = inputOf(call, 'call')
    const held = await inTime(call, run, { work: (signal) => holdRefs(call, run, { input, signal }) })
    // Before any check or judge quotes it.
    if (run.tool!.draft.input.sensitiveFields.length > 0) learnSecrets(run, withContents(input, run, held))
    run.refs = held
    return held
  } catch (error) {
    if (error instanceof Interrupted) return canceledStep(run, 'before')
    if (!(error instanceof RefError)) throw error
    return stop(toolError(error.errorClass, { code: error.code, message: error.message }))
  }
}

export interface ResolvedInput {
  input: unknown
  /** Removes the files that were made for the refs. */
  release(): Promise<void>
}

/** The executor's value with the content of its refs, or with files that hold it. */
export function resolveRefs(value: unknown, call: CallState, run: RefRun): Promise<ResolvedInput> {
  return inTime(call, run, {
    work: async (signal) => {
      const held =
        run.refs && run.refs !== 'none'
          ? run.refs
          : await holdRefs(call, run, { input: inputOf(call, 'call'), signal })
      run.refs = held
      const files = await makeFiles(value, run, { held, signal })
      const release = (): Promise<void> => releaseAll([...files.values()])
      try {
        const input = withContents(value, run, {
          contents: held.contents,
          pathOf: (ref) => files.get(ref)!.path,
        })
        learnSecrets(run, input)
        return { input, release }
      } catch (error) {
        await release()
        throw error
      }
    },
    discard: ({ release }) => void release(),
  })
}

async function makeFiles(
  value: unknown,
  run: RefRun,
  { held, signal }: { held: HeldRefs; signal: AbortSignal },
): Promise<Map<string, RefFile>> {
  const who = refCallerOf(run)
  const refs = refLocationsIn(value, run.tool!.draft.input).flatMap(({ ref, use }) =>
    use === 'file' ? [ref] : [],
  )
  const distinct = [...new Set(refs)]
  const unjudged = distinct.find((ref) => !held.files.has(ref))
  if (unjudged !== undefined) throw new RefError('unjudged', unjudged)
  const made = await Promise.allSettled(distinct.map((ref) => run.ports.refs.file(ref, who, signal)))
  const failed = made.find((each) => each.status === 'rejected')
  const files = made.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  if (!failed) return new Map(distinct.map((ref, index) => [ref, files[index]!]))
  // Files that were made beside a failed one have no owner.
  await releaseAll(files)
  throw failed.reason as Error
}

async function releaseAll(files: readonly RefFile[]): Promise<void> {
  await Promise.allSettled(files.map((file) => file.release()))
}
