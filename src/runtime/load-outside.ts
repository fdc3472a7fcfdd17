import { dirname } from 'node:path'
import type { ConfigPath } from '../foundation/config/check-config.js'
import type { ConfigProblem } from '../foundation/config/describe-problem.js'
import type { OutsideOpinions } from '../judgement/policy/with-outside.js'
import { locatorOf, type CribSettings } from './load-tools.js'
import { isConfigTrusted } from './trust.js'

export type LoadedOutside =
  { ok: true; outside: OutsideOpinions } | { ok: false; problems: readonly ConfigProblem[] }

/** The policy engine and the classifier that a config names. What they allow counts once it is trusted. */
export async function loadOutside(settings: CribSettings): Promise<LoadedOutside> {
  const { engine, classifier } = settings.config.permission ?? {}
  if (!engine && !classifier) return { ok: true, outside: {} }
  const isTrusted = isConfigTrusted(settings)
  const loaded = engine && (await loadEngine(engine, { settings, isTrusted }))
  if (loaded?.ok === false) return loaded
  const asked = classifier && (await loadClassifier(classifier, { settings, isTrusted }))
  if (asked?.ok === false) {
    await loaded?.engine.close?.()
    return asked
  }
  return {
    ok: true,
    outside: {
      ...(loaded && { engine: loaded.engine, engineOnlyRefuses: !isTrusted }),
      ...(asked && { classifiers: [asked.classifier] }),
    },
  }
}

/** Where a setting stands in the config; lines are looked up only when there is something to complain about. */
async function problemAt(
  { configPath }: CribSettings,
  path: ConfigPath,
  message: string,
): Promise<{ ok: false; problems: ConfigProblem[] }> {
  const file = configPath ?? 'the config'
  const locate = configPath === undefined ? undefined : await locatorOf(configPath)
  return { ok: false, problems: [{ file, ...locate?.(path), message }] }
}

/** A sentence of ours, which here follows the name of a file. */
function sentenceIn(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return `${message[0]?.toLowerCase() ?? ''}${message.slice(1).replace(/\.$/, '')}`
}

type Engine = NonNullable<OutsideOpinions['engine']>
type EngineEntry = NonNullable<NonNullable<CribSettings['config']['permission']>['engine']>
type ClassifierEntry = NonNullable<NonNullable<CribSettings['config']['permission']>['classifier']>

async function loadEngine(
  { cedar, entities, schema, url, headers, timeoutMs }: EngineEntry,
  { settings, isTrusted }: { settings: CribSettings; isTrusted: boolean },
): Promise<{ ok: true; engine: Engine } | { ok: false; problems: readonly ConfigProblem[] }> {
  if ((cedar === undefined) === (url === undefined)) {
    return problemAt(settings, ['permission', 'engine'], '"permission.engine" needs either "cedar" or "url"')
  }
  if (url !== undefined) {
    const { httpEngine } = await import('../judgement/policy/engines/http-engine.js')
    const given = {
      url,
      headers: await headersOf(headers, isTrusted),
      isUntrusted: !isTrusted,
      ...(timeoutMs !== undefined && { timeoutMs }),
    }
    try {
      return { ok: true, engine: httpEngine(given) }
    } catch (error) {
      return problemAt(settings, ['permission', 'engine', 'url'], sentenceIn(error))
    }
  }
  const { loadCedarEngine } = await import('../judgement/policy/engines/load-cedar-engine.js')
  const loaded = await loadCedarEngine({
    policies: cedar!,
    entities,
    schema,
    folder: dirname(settings.configPath!),
  })
  if (!loaded.ok || timeoutMs === undefined) return loaded
  return { ok: true, engine: { ...loaded.engine, timeoutMs } }
}

async function loadClassifier(
  { headers, ...entry }: ClassifierEntry,
  { settings, isTrusted }: { settings: CribSettings; isTrusted: boolean },
) {
  const { httpClassifier } = await import('../judgement/policy/http-classifier.js')
  const given = {
    ...entry,
    ...(!isTrusted && { canApprove: false, isUntrusted: true }),
    headers: await headersOf(headers, isTrusted),
  }
  try {
    return { ok: true, classifier: httpClassifier(given) } as const
  } catch (error) {
    return problemAt(settings, ['permission', 'classifier'], sentenceIn(error))
  }
}

/** Variables are looked up for each request: a secret then lives no longer than it has to. */
async function headersOf(headers: Readonly<Record<string, string>> | undefined, isTrusted: boolean) {
  const { resolveVariables, withoutVariables } = await import('../judgement/hooks/resolve-variables.js')
  return () =>
    isTrusted ? resolveVariables(headers ?? {}, process.env).texts : withoutVariables(headers ?? {})
}
