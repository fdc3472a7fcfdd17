import type { AuthorizationAnswer, Schema } from '@cedar-policy/cedar-wasm/nodejs'
import type { ConfigProblem } from '../../platform/config/describe-problem.js'
import { remember } from '../../platform/json/remember.js'
import { withoutUndefined } from '../../platform/json/without-undefined.js'
import { checkOptions } from '../../platform/validation/check-options.js'
import type { CedarEntity } from './cedar/cedar-entity.js'
import { completeEntities, entitiesFor, indexEntities, type EntityIndex } from './cedar/cedar-entities.js'
import { checkCedarSchema } from './cedar/check-cedar-schema.js'
import { loadCedar, type Cedar } from './cedar/load-cedar.js'
import { parseCedarPolicies, sentenceOf, type CedarPolicy } from './cedar/parse-cedar-policies.js'
import { toCedarCall } from './cedar/to-cedar-call.js'
import type { EngineAnswer, EngineDescription, EngineRequest, PolicyEngine } from './policy-engine.js'

export interface CedarOptions {
  /** Policy text; or several texts by file name, which names policies without an @id. */
  policies: string | Readonly<Record<string, string>>
  /** Known entities beside those of the call: groups of actors, attributes of tools. */
  entities?: readonly CedarEntity[]
  /** Policies and entities are checked against it when they are read. */
  schema?: string | Readonly<Record<string, unknown>>
  /** Its name in records; "cedar" by default. */
  name?: string
  /**
   * What an allow means if a part of the input was omitted because Cedar cannot hold it (a fraction, for example):
   * `ask`, or `allow` if the policies themselves check `context.input_complete`. `ask` by default.
   */
  onUnseenInput?: 'ask' | 'allow'
}

export interface CedarEngine extends PolicyEngine {
  /** Reads everything now; otherwise the first decision does. If there are problems, every decision is a deny. */
  check(): Promise<ConfigProblem[]>
}

interface Ready {
  cedar: Cedar
  policySetId: string
  policies: ReadonlyMap<string, CedarPolicy>
  entities: EntityIndex
  named: readonly string[]
  problems: ConfigProblem[]
  description: EngineDescription
}

/** Cedar policies, evaluated in this process by Cedar's own WASM build. They are parsed once, not for each call. */
export function cedarEngine(options: CedarOptions): CedarEngine {
  checkCedarOptions(options)
  let ready: Ready | undefined
  let loading: Promise<Ready> | undefined
  let isClosed = false
  const unread = describeTexts(options)
  const getReady = (): Promise<Ready> =>
    (loading ??= loadCedar().then(
      (cedar) => (ready = prepare(cedar, options)),
      (error: unknown) => {
        loading = undefined
        throw error
      },
    ))
  return {
    name: options.name ?? 'cedar',
    decide(request) {
      if (isClosed) throw new Error('it is closed')
      return ready ? judge(ready, request, options) : getReady().then((now) => judge(now, request, options))
    },
    describe: () => (ready ? describeReady(ready) : unread),
    async check() {
      return (await getReady()).problems
    },
    async close() {
      isClosed = true
      // Cedar has no way to remove a policy set; an empty one frees the memory of the old one.
      if (ready) ready.cedar.preparsePolicySet(ready.policySetId, {})
    },
  }
}

function textsOf({ policies }: CedarOptions): Readonly<Record<string, string>> {
  return typeof policies === 'string' ? { policy: policies } : policies
}

/** The policies are known only after they are read. */
function describeTexts(options: CedarOptions): EngineDescription {
  const { entities, schema, onUnseenInput } = options
  return withoutUndefined({
    kind: 'cedar',
    texts: textsOf(options),
    entities,
    schema,
    on_unseen_input: onUnseenInput,
  })
}

const describeReady = remember(({ policies, description }: Ready): EngineDescription => {
  const byId = [...policies.values()].map(({ id, text, file, line }) => [id, { text, file, line }] as const)
  return { ...description, policies: Object.fromEntries(byId) }
})

function checkCedarOptions(options: CedarOptions): void {
  checkOptions('A Cedar engine', options, {
    policies: typeof options?.policies === 'string' ? 'text' : 'object',
    entities: 'list',
    schema: typeof options?.schema === 'string' ? 'text' : 'object',
    name: 'text',
    onUnseenInput: 'text',
  })
  const { policies, onUnseenInput } = options
  const texts: unknown[] =
    typeof policies === 'string' ? [policies] : Object.values(policies ?? { none: null })
  if (!texts.every((text) => typeof text === 'string')) {
    throw new TypeError('A Cedar engine needs "policies": their text, or texts by the names of their files.')
  }
  if (onUnseenInput !== undefined && onUnseenInput !== 'ask' && onUnseenInput !== 'allow') {
    throw new TypeError('A Cedar engine: "onUnseenInput" must be "ask" or "allow".')
  }
}

let lastSet = 0

function prepare(cedar: Cedar, options: CedarOptions): Ready {
  const { entities: given = [], schema } = options
  const entities = completeEntities(given)
  const parsed = parseCedarPolicies(cedar, textsOf(options))
  const problems = [...parsed.problems]
  const read = cedar.checkParseEntities({ entities })
  if (read.type === 'failure') {
    problems.push(...read.errors.map((error) => ({ file: 'entities', message: sentenceOf(error) })))
  }
  if (problems.length === 0 && schema !== undefined) {
    problems.push(
      ...checkCedarSchema(cedar, { schema: schema as Schema, policies: parsed.policies, entities }),
    )
  }
  const policySetId = `toolcrib-${++lastSet}`
  const set = { staticPolicies: Object.fromEntries(parsed.policies.map(({ id, text }) => [id, text])) }
  const kept = problems.length > 0 ? undefined : cedar.preparsePolicySet(policySetId, set)
  if (kept?.type === 'failure') {
    problems.push(...kept.errors.map((error) => ({ file: 'policies', message: sentenceOf(error) })))
  }
  return {
    cedar,
    policySetId,
    policies: new Map(parsed.policies.map((policy) => [policy.id, policy])),
    entities: indexEntities(read.type === 'success' ? entities : []),
    named: parsed.named,
    problems,
    description: describeTexts(options),
  }
}

function judge(ready: Ready, request: EngineRequest, { onUnseenInput }: CedarOptions): EngineAnswer {
  const { cedar, policySetId, entities, named, problems } = ready
  const [problem] = problems
  if (problem) {
    const line = problem.line === undefined ? '' : `:${problem.line}`
    throw new Error(`its policies cannot be used: ${problem.file}${line}: ${problem.message}`)
  }
  const { own, unseen, ...call } = toCedarCall(request)
  const answer = cedar.statefulIsAuthorized({
    ...call,
    preparsedPolicySetId: policySetId,
    entities: entitiesFor(own, entities, named),
  })
  const said = toAnswer(answer, ready.policies)
  if (said.behavior !== 'allow' || unseen.length === 0 || onUnseenInput === 'allow') return said
  return {
    ...said,
    behavior: 'ask',
    message: `The policies allow it without having seen all of the input; Cedar cannot hold ${namesOf(unseen)}.`,
  }
}

function toAnswer(answer: AuthorizationAnswer, policies: ReadonlyMap<string, CedarPolicy>): EngineAnswer {
  if (answer.type === 'failure') throw new Error(sentenceOf(answer.errors[0]))
  const { decision, diagnostics } = answer.response
  const [broken] = diagnostics.errors
  if (broken) {
    // Cedar ignores a policy that it cannot evaluate; it may be the one that forbids.
    throw new Error(`its policy "${broken.policyId}" cannot be evaluated: ${sentenceOf(broken.error)}`)
  }
  const policyRefs = diagnostics.reason.toSorted()
  const deciding = policyRefs.flatMap((id) => policies.get(id) ?? [])
  if (decision === 'deny') {
    const forbids = deciding.length > 0 ? wordsOf(deciding, 'forbids it.') : 'no policy permits it.'
    return { behavior: 'deny', message: forbids, policyRefs }
  }
  const asking = deciding.filter(({ isAsk }) => isAsk)
  if (asking.length > 0)
    return { behavior: 'ask', message: wordsOf(asking, 'wants it asked about.'), policyRefs }
  return { behavior: 'allow', message: wordsOf(deciding, 'permits it.'), policyRefs }
}

function wordsOf(policies: readonly CedarPolicy[], does: string): string {
  const own = policies.find(({ message }) => message !== undefined)?.message
  return own ?? `its policy "${policies[0]?.id}" ${does}`
}

function namesOf(paths: readonly string[]): string {
  const shown = paths.slice(0, 3).map((path) => (path === '' ? 'anything but an object' : `"${path}"`))
  return `${shown.join(', ')}${paths.length > 3 ? ` and ${paths.length - 3} more` : ''}`
}
