import { carriedWith } from '../../policy/deciders/carried-with.js'
import type { Verdict } from '../../policy/decision.js'
import { signalOf, type CallRun } from '../call-run.js'
import type { CallState } from '../call-state.js'
import { judgeCall } from './judge-call.js'
import { RefError } from '../refs/ref-reader.js'

/**
 * Whoever gives a ref to a tool reads what it stands for: the rules about reading it hold as they would for the tool made
 * for that. A deny refuses the ref; the answer is the strictest of what would have to be asked.
 */
export async function judgeReading(
  call: CallState,
  run: CallRun,
  refs: ReadonlySet<string>,
): Promise<Verdict | undefined> {
  // Made before the run is copied: a cancellation reaches whoever judges the reading too.
  signalOf(run)
  const reading: CallRun = { ...run, tool: run.ports.resultReader() }
  let asks: Verdict | undefined
  for (const ref of refs) {
    const { verdict } = await judgeCall(call, reading, Object.freeze({ ref }))
    if (verdict.behavior === 'deny') throw new RefError('denied', ref)
    if (verdict.behavior !== 'allow' && (!asks || asks.isDefault)) asks = verdict
  }
  return asks
}

/** The strictest of both counts. An input that the judge wants instead stays wanted: it is judged anew, and its refs with it. */
export function withReading(verdict: Verdict, asks: Verdict | undefined): Verdict {
  if (!asks || verdict.behavior === 'deny') return verdict
  if (verdict.behavior === 'ask' && (!verdict.isDefault || asks.isDefault)) return verdict
  const { suggested_updates: _, updated_input: __, content_blocks: ___, ...rest } = asks
  const why = asks.reason?.message ?? 'Reading what a ref stands for needs approval.'
  return {
    ...rest,
    ...carriedWith(verdict),
    behavior: 'ask',
    reason: { type: 'other', ...asks.reason, message: `A ref is read as with result.read: ${why}` },
  }
}
