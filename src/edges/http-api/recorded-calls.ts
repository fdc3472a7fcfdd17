import type { ToolEvent } from '../../contract/objects/tool-event.js'
import { completeChunk } from '../../storage/journal/complete-chunk.js'
import { createChangeSignal } from '../../storage/journal/create-change-signal.js'
import type { CallStory } from '../../storage/journal/project-call.js'
import type { ApiParts } from './api-parts.js'
import { gone } from './problem.js'
import type { ApiRequest } from './route.js'

type Asking = Pick<ApiRequest, 'api' | 'tenant' | 'signal'>

/** Whether the store knows a call, or knows that its record was deleted. */
export function isRecorded({ crib }: Pick<ApiParts, 'crib'>) {
  return async ({ tenant, invocationId }: { tenant: string; invocationId: string }): Promise<boolean> =>
    (await crib.task(invocationId, { tenant }).status()) !== undefined ||
    (await crib.deletedRecord(invocationId, { tenant })) !== undefined
}

/**
 * What is recorded of a call of the caller. A call whose process is gone ends here. Throws a `Problem` where the record
 * was deleted.
 */
export async function recordedCall(
  { api: { crib }, tenant }: Pick<Asking, 'api' | 'tenant'>,
  id: string,
): Promise<CallStory | undefined> {
  await crib.task(id, { tenant }).status()
  const story = await crib.story(id, { tenant })
  if (story) return story
  const deleted = await crib.deletedRecord(id, { tenant })
  if (deleted) throw gone(deleted)
  return undefined
}

/**
 * Reads calls that were made before, in any process, once they have ended or `waitMs` is over. A call that asks a person
 * is not waited for.
 */
export async function waitForRecords(
  request: Asking,
  ids: readonly string[],
  waitMs: number,
): Promise<readonly (CallStory | undefined)[]> {
  const { api, tenant, signal } = request
  const readAll = (): Promise<(CallStory | undefined)[]> =>
    Promise.all(ids.map((id) => recordedCall(request, id)))
  const now = await readAll()
  const isWaited = (story: CallStory | undefined): boolean =>
    story !== undefined && story.invocation.status !== 'awaiting_approval'
  if (waitMs === 0 || now.every((story) => story?.result) || !now.every(isWaited)) return now
  const late = AbortSignal.any([signal, AbortSignal.timeout(waitMs)])
  try {
    await Promise.all(ids.map((id) => api.crib.task(id, { tenant }).result({ signal: late })))
  } catch (error) {
    if (!late.aborted) throw error
  }
  return readAll()
}

/** A dying process writes nothing. */
const LOOK_EVERY_MS = 2000

/** The recorded events of a call, then each new one, until its result. */
export async function* followRecord(
  { api, tenant, signal }: Asking,
  id: string,
): AsyncGenerator<ToolEvent, void, void> {
  const { store } = api.crib
  const alarm = createChangeSignal(store, [{ of: 'call', tenant, invocationId: id }], signal)
  let sequence = 0
  let hasEnded = false
  try {
    while (!signal.aborted) {
      for (const chunk of await store.readStream(tenant, id, sequence))
        for (const event of completeChunk(chunk, Math.max(0, sequence - chunk.firstSequence + 1))) {
          ;({ sequence } = event.toolcrib)
          hasEnded ||= event.event_type === 'tool.result.created'
          yield event
        }
      if (hasEnded) return
      await alarm.next(LOOK_EVERY_MS)
      // Writes what is not in the store yet, and ends a call whose process is gone.
      await api.crib.task(id, { tenant }).status()
    }
  } finally {
    alarm.dispose()
  }
}
