import { toJson } from '../../platform/json/to-json.js'
import { cleanOutcome } from '../../hooks/clean-outcome.js'
import type { HookDefinition } from '../../hooks/hook.js'
import { runHook, type HookOutcome, type HookRun } from '../../hooks/run-hook.js'
import type { CallRun } from '../call-run.js'
import type { CallState } from '../call-state.js'
import { cleanText, cleanValue } from '../secrets/clean.js'
import { hookCallOf } from './hook-call.js'
import { learnSecrets } from '../secrets/learn-secrets.js'

/** Asks one hook; its words are clean from here on. */
export async function askHook(
  hook: HookDefinition,
  { call, run }: { call: CallState; run: CallRun },
  shown: Pick<HookRun, 'input' | 'output' | 'error' | 'decision'>,
): Promise<HookOutcome> {
  const outcome = await runHook(hook, hookCallOf(hook, call, run, shown))
  // Its own words may repeat what it puts into the input.
  if (outcome.ok && outcome.answer.updatedInput !== undefined)
    learnSecrets(run, toJson(outcome.answer.updatedInput))
  return cleanOutcome(outcome, {
    text: (text) => cleanText(text, run),
    value: (value) => cleanValue(value, run),
  })
}
