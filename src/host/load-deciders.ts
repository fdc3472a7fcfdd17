import { errorMessage } from '../platform/text/error-message.js'
import { ownCommand } from '../platform/text/own-command.js'
import { dirname } from 'node:path'
import type { ConfigPath } from '../platform/config/check-config.js'
import type { ConfigProblem } from '../platform/config/describe-problem.js'
import type { OutsideOpinions } from '../policy/deciders/with-outside.js'
import { locatorOf } from './load-settings.js'
import type { CribSettings } from './crib-settings.js'

export type LoadedDeciders =
  { ok: true; outside: OutsideOpinions } | { ok: false; problems: readonly ConfigProblem[] }

/**
 * The policy engine and the classifier that a config names. Until the config is trusted, policies in files may only
 * deny, and no endpoint gets a request: it would receive calls, and the variables that its headers name.
 */
export async function loadDeciders(settings: CribSettings): Promise<LoadedDeciders> {
  const { engine, classifier } = settings.config.permission ?? {}
  if (!engine && !classifier) return { ok: true, outside: {} }
  const { isTrusted } = settings.trust
  const loaded = engine && (await loadEngine(engine, settings))
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

/** The position of a setting in the config. Lines are looked up only for a problem. */
async function problemAt(
  { configPath }: CribSettings,
  path: ConfigPath,
  message: string,
): Promise<{ ok: false; problems: ConfigProblem[] }> {
  const file = configPath ?? 'the config'
  const locate = configPath === undefined ? undefined : await locatorOf(configPath)
  return { ok: false, problems: [{ file, ...locate?.(path), message }] }
}

/** The message is a sentence; here it follows the name of a file. */
function sentenceIn(error: unknown): string {
  const message = errorMessage(error)
  return `${message[0]?.toLowerCase() ?? ''}${message.slice(1).replace(/\.$/, '')}`
}

type Engine = NonNullable<OutsideOpinions['engine']>
type Classifier = NonNullable<OutsideOpinions['classifiers']>[number]
type EngineEntry = NonNullable<NonNullable<CribSettings['config']['permission']>['engine']>
type ClassifierEntry = NonNullable<NonNullable<CribSettings['config']['permission']>['classifier']>

async function loadEngine(
  { cedar, entities, schema, url, headers, timeoutMs }: EngineEntry,
  settings: CribSettings,
): Promise<{ ok: true; engine: Engine } | { ok: false; problems: readonly ConfigProblem[] }> {
  if ((cedar === undefined) === (url === undefined)) {
    return problemAt(settings, ['permission', 'engine'], '"permission.engine" needs either "cedar" or "url"')
  }
  if (url !== undefined && !settings.trust.isTrusted) return { ok: true, engine: unaskedEngine() }
  if (url !== undefined) {
    const { httpEngine } = await import('../policy/engines/http-engine.js')
    const given = { url, headers: await headersOf(headers), ...(timeoutMs !== undefined && { timeoutMs }) }
    try {
      const engine = httpEngine(given)
      const description = { ...engine.describe?.(), headers: Object.keys(headers ?? {}) }
      return { ok: true, engine: { ...engine, describe: () => description } }
    } catch (error) {
      return problemAt(settings, ['permission', 'engine', 'url'], sentenceIn(error))
    }
  }
  const { loadCedarEngine } = await import('../policy/engines/load-cedar-engine.js')
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
  const { httpClassifier } = await import('../policy/deciders/http-classifier.js')
  const given = { ...entry, ...(!isTrusted && { canApprove: false }), headers: await headersOf(headers) }
  try {
    const classifier = httpClassifier(given)
    return { ok: true, classifier: isTrusted ? classifier : unaskedClassifier(classifier) } as const
  } catch (error) {
    return problemAt(settings, ['permission', 'classifier'], sentenceIn(error))
  }
}

const notAsked = (): Error =>
  new Error(`it was not asked: its config is not trusted (${ownCommand('trust')})`)

/** An engine that sends no request: every decision fails, so that the call is denied. */
function unaskedEngine(): Engine {
  return { name: 'http', decide: () => Promise.reject(notAsked()) }
}

function unaskedClassifier(classifier: Classifier): Classifier {
  return { ...classifier, classify: () => Promise.reject(notAsked()) }
}

/** Variables are read for each request, so that a secret stays in memory no longer than needed. */
async function headersOf(headers: Readonly<Record<string, string>> | undefined) {
  const { resolveVariables } = await import('../hooks/resolve-variables.js')
  return () => resolveVariables(headers ?? {}, process.env).texts
}
