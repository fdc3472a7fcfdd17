import { askClassifier } from './ask-classifier.js'
import { pendingCheck, toClassifierRequest, type ClassifierDefinition } from './classifier.js'
import type { Decider, PermissionRequest, Verdict } from '../decision.js'
import { askEngine } from '../engines/ask-engine.js'
import type { PolicyEngine } from '../engines/policy-engine.js'
import { toEngineRequest } from '../engines/to-engine-request.js'
import { hostsOf } from '../hosts-of.js'
import { ownVerdict, readVerdict } from './read-verdict.js'
import { withClassifier } from './with-classifier.js'
import { withOpinion } from './with-opinion.js'

/** The engine and the classifiers for calls that the rules leave open. */
export interface OutsideOpinions {
  readonly engine?: PolicyEngine | undefined
  /** The engine comes from an untrusted config: its deny and ask count, its allow does not. */
  readonly engineOnlyRefuses?: boolean | undefined
  readonly classifiers?: readonly ClassifierDefinition[] | undefined
}

/** Passes calls that no rule decided first to the policy engine, then to classifiers. Neither lifts a deny or an ask. */
export function withOutside(
  decider: Decider,
  { engine, engineOnlyRefuses, classifiers = [] }: OutsideOpinions,
): Decider {
  if (!engine && classifiers.length === 0) return decider
  return (request) => {
    const said = decider(request)
    return said instanceof Promise
      ? said.then((settled) => consult(readVerdict(settled)))
      : consult(readVerdict(said))

    function consult(verdict: Verdict): Verdict | Promise<Verdict> {
      const isOpen = verdict.behavior === 'passthrough' || verdict.isDefault === true
      const first =
        engine && isOpen ? askWithEngine(engine, verdict, { request, engineOnlyRefuses }) : verdict
      return first instanceof Promise ? first.then(classify) : classify(first)
    }

    function classify(verdict: Verdict): Verdict | Promise<Verdict> {
      const asked = classifiers.filter((each) => concerns(each, verdict))
      return asked.length === 0 ? verdict : askAll(asked, verdict, request)
    }
  }
}

/** With an engine, calls that the rules leave open are the engine's to decide, also those that the default would allow. */
async function askWithEngine(
  engine: PolicyEngine,
  verdict: Verdict,
  { request, engineOnlyRefuses }: { request: PermissionRequest; engineOnlyRefuses: boolean | undefined },
): Promise<Verdict> {
  const { touched } = request
  const of = (access: 'read' | 'write'): string[] =>
    (touched?.paths ?? []).flatMap((each) => (each.access === access ? [each.path] : []))
  const hosts = hostsOf(request)
  const found = (touched || hosts.length > 0) && {
    reads: of('read'),
    writes: of('write'),
    hosts,
    commands: (touched?.command?.commands ?? []).map(({ text }) => text),
  }
  const handed: Verdict = { ...verdict, behavior: 'passthrough' }
  const shown = { ...toEngineRequest(request, found || undefined), input: request.shownInput }
  const answer = await askEngine(engine, shown, { signal: request.signal })
  if (engineOnlyRefuses && answer.behavior === 'allow') return verdict
  return ownVerdict({ ...withOpinion(handed, answer), earlier: [...(verdict.earlier ?? []), handed] })
}

/** Any classifier may fill a passthrough; an allowed call is shown only to those that must always answer. */
function concerns({ mustAnswer }: ClassifierDefinition, { behavior }: Verdict): boolean {
  return behavior === 'passthrough' || (behavior === 'allow' && mustAnswer === true)
}

async function askAll(
  classifiers: readonly ClassifierDefinition[],
  verdict: Verdict,
  request: PermissionRequest,
): Promise<Verdict> {
  const asked = toClassifierRequest(request, request.classifierText)
  const outcomes = await Promise.all(
    classifiers.map((classifier) => askClassifier(classifier, asked, { signal: request.signal })),
  )
  const handed: Verdict = { ...verdict, ...pendingCheck(classifiers[0]!) }
  let now: Verdict = { ...verdict }
  for (const outcome of outcomes) now = withClassifier(now, outcome)
  const earlier = verdict.behavior === 'passthrough' ? [...(verdict.earlier ?? []), handed] : verdict.earlier
  return ownVerdict({ ...now, ...(earlier && { earlier }) })
}
