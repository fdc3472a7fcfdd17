import { carriedWith } from '../../policy/deciders/carried-with.js'
import type { Verdict } from '../../policy/decision.js'
import { signalOf } from '../cancel-state.js'
import type { JudgedRun } from './judge-ports.js'
import type { CallState } from '../call-state.js'
import { judgeCall } from './judge-call.js'
import { RefError } from '../refs/ref-reader.js'

/**
 * A caller that passes a ref to a tool reads its content, so the rules for the reading tool apply. A deny refuses the
 * ref. Returns the strictest verdict that requires approval.
 */
export async function judgeReading(
  call: CallState,
  run: JudgedRun,
  refs: ReadonlySet<string>,
): Promise<Verdict | undefined> {
  // Made before the run is copied: a cancellation must reach the judge of the reading too.
  signalOf(run)
  const reading: JudgedRun = { ...run, tool: run.ports.resultReader() }
  let asks: Verdict | undefined
  for (const ref of refs) {
    const { verdict } = await judgeCall(call, reading, Object.freeze({ ref }))
    if (verdict.behavior === 'deny') throw new RefError('denied', ref)
    if (verdict.behavior !== 'allow' && (!asks || asks.isDefault)) asks = verdict
  }
  return asks
}

/**
 * The stricter of both verdicts. An input that the judge wants instead stays wanted: it is judged again, and its refs
 * with it.
 */
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
