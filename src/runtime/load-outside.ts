import { dirname } from 'node:path'
import { describeProblem } from '../foundation/config/describe-problem.js'
import type { OutsideOpinions } from '../judgement/policy/with-outside.js'
import type { CribSettings } from './load-tools.js'
import { isConfigTrusted } from './trust.js'

/** The policy engine and the classifier that a config names. What they allow counts once it is trusted. */
export async function loadOutside(settings: CribSettings): Promise<OutsideOpinions> {
  const { engine, classifier } = settings.config.permission ?? {}
  if (!engine && !classifier) return {}
  const isTrusted = isConfigTrusted(settings)
  return {
    ...(engine && { engine: await loadEngine(engine, settings), engineOnlyRefuses: !isTrusted }),
    ...(classifier && {
      classifiers: [await loadClassifier(isTrusted ? classifier : { ...classifier, canApprove: false })],
    }),
  }
}

type EngineEntry = NonNullable<NonNullable<CribSettings['config']['permission']>['engine']>
type ClassifierEntry = NonNullable<NonNullable<CribSettings['config']['permission']>['classifier']>

async function loadEngine(
  { cedar, entities, schema, url, headers, timeoutMs }: EngineEntry,
  { configPath }: CribSettings,
): Promise<NonNullable<OutsideOpinions['engine']>> {
  if ((cedar === undefined) === (url === undefined)) {
    throw new TypeError('"permission.engine" needs either "cedar" or "url".')
  }
  if (url !== undefined) {
    const { httpEngine } = await import('../judgement/policy/engines/http-engine.js')
    return httpEngine({
      url,
      headers: await headersOf(headers),
      ...(timeoutMs !== undefined && { timeoutMs }),
    })
  }
  const { loadCedarEngine } = await import('../judgement/policy/engines/load-cedar-engine.js')
  const loaded = await loadCedarEngine({ policies: cedar!, entities, schema, folder: dirname(configPath!) })
  if (!loaded.ok) throw new TypeError(loaded.problems.map((problem) => describeProblem(problem)).join('\n'))
  return timeoutMs === undefined ? loaded.engine : { ...loaded.engine, timeoutMs }
}

async function loadClassifier({ headers, ...entry }: ClassifierEntry) {
  const { httpClassifier } = await import('../judgement/policy/http-classifier.js')
  return httpClassifier({ ...entry, headers: await headersOf(headers) })
}

/** Variables are looked up for each request: a secret then lives no longer than it has to. */
async function headersOf(headers: Readonly<Record<string, string>> | undefined) {
  const { resolveVariables } = await import('../judgement/hooks/resolve-variables.js')
  return () => resolveVariables(headers ?? {}, process.env).texts
}
