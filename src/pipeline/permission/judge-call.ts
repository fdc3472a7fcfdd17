import { resolve } from 'node:path'
import type { ToolError } from '../../contract/objects/tool-error.js'
import { brokenDecider, readVerdict } from '../../policy/deciders/read-verdict.js'
import type { PermissionRequest, Verdict } from '../../policy/decision.js'
import { engineVersionOf } from '../../policy/engines/engine-version.js'
import { gatherTouched, touchesNothing } from '../../policy/commands/gather-touched.js'
import { argumentAt } from '../../policy/patterns/argument-condition.js'
import type { RuleTool } from '../../policy/rules/rule-tool.js'
import type { Touched } from '../../policy/commands/touched.js'
import { readOnce } from '../../shell/read-once.js'
import type { ShellReading } from '../../shell/shell-reading.js'
import { classifierFields, classifierTextOf } from '../../catalog/classifier-fields.js'
import { toRuleTool } from '../../catalog/records/to-rule-tool.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'
import type { CallFacts } from '../../catalog/facts.js'
import { shareData } from '../../storage/event-list.js'
import { DecisionData } from '../../storage/decision-data.js'
import { cleanText, cleanValue } from '../secrets/clean.js'
import { record } from '../record.js'
import { signalOf } from '../cancel-state.js'
import type { JudgedRun, PolicyRun } from './judge-ports.js'
import type { CallState } from '../call-state.js'
import { addBlocks } from './decider-blocks.js'
import { hideKeys } from './hide-keys.js'
import { shownInput } from '../input/shown-input.js'
import { toolError } from '../failures/tool-error.js'

export interface Judged {
  verdict: Verdict
  facts: CallFacts
  request: PermissionRequest
}

/**
 * Judges one input. A judge that throws has denied. `resolved` is the input with the content of its refs: it is what
 * would run, so that is judged; reviewers and records see the refs.
 */
// Four parameters rather than an object of them: this runs in every call.
export function judgeCall(
  call: CallState,
  run: JudgedRun,
  input: unknown,
  resolved = input,
): Judged | Promise<Judged> {
  const tool = run.tool!
  const plain = hideKeys(tool.facts(input, tool.draft.input.commandField && readerFor(run, input)), run)
  const facts = resolved === input ? plain : factsOf(tool, resolved, plain)
  const request = new LazyRequest(call, run, input, facts)
  run.judged = request
  try {
    const answer = run.ports.decider(
      resolved === input ? request : new LazyRequest(call, run, resolved, facts, input),
    )
    if (answer instanceof Promise) return judgedLater(answer, facts, request)
    return { verdict: readVerdict(answer), facts, request }
  } catch (error) {
    return { verdict: brokenDecider(error), facts, request }
  }
}

async function judgedLater(
  answer: Promise<unknown>,
  facts: CallFacts,
  request: PermissionRequest,
): Promise<Judged> {
  try {
    return { verdict: readVerdict(await answer), facts, request }
  } catch (error) {
    return { verdict: brokenDecider(error), facts, request }
  }
}

/** Facts from the content. Resource keys are recorded, so they come from the input with refs. */
function factsOf(tool: CatalogTool, resolved: unknown, plain: CallFacts): CallFacts {
  const { resource_keys: _, resource_locks: __, ...facts } = tool.facts(resolved)
  const { resource_keys, resource_locks } = plain
  return { ...facts, ...(resource_keys && { resource_keys }), ...(resource_locks && { resource_locks }) }
}

/** Reads the call's command as it would start. */
function readerFor({ ports, surface, tool }: JudgedRun, input: unknown): (command: string) => ShellReading {
  const { cwd: field, shell = 'sh', folder, doubts } = tool!.draft.input.commandField ?? {}
  const base = folder ?? surface.request.workspace ?? ports.workspace
  const given = field === undefined ? undefined : argumentAt(input, field)
  const cwd = typeof given === 'string' ? resolve(base, given) : base
  const { home, folders } = ports
  return (command) => readOnce(command, { cwd, home, shell, folders, doubted: doubts?.programs })
}

/** The permission mode of a call. */
export function modeOf({ ports, surface, row }: PolicyRun): string {
  return ports.policy.modeFor(row.session, surface.request.mode)
}

export function ruleToolOf({ ports }: JudgedRun, tool: CatalogTool): RuleTool {
  const { catalog } = ports
  const { prepared } = tool
  if (prepared.ruleTool?.revision !== catalog.revision) {
    prepared.ruleTool = { revision: catalog.revision, tool: toRuleTool(tool, catalog.find) }
  }
  return prepared.ruleTool!.tool
}

/** Placeholder until `touched` is first read. */
const NOT_GATHERED = Object.freeze({
  paths: [],
  hosts: [],
  urls: [],
  command: undefined,
  commandText: undefined,
})

// A class whose members are computed when they are read: most judges read two or three of them.
class LazyRequest implements PermissionRequest {
  readonly #call: CallState
  readonly #run: JudgedRun
  readonly input: unknown
  /** The input with refs where `input` has content. Replaced refs are in no path, URL or command field. */
  readonly #shown: unknown
  readonly facts: CallFacts
  #touched: Touched | undefined = NOT_GATHERED

  constructor(call: CallState, run: JudgedRun, input: unknown, facts: CallFacts, shown = input) {
    this.#call = call
    this.#run = run
    this.input = input
    this.#shown = shown
    this.facts = facts
  }

  get shownInput(): unknown {
    return shownInput(this.#shown, this.#run)
  }

  get classifierText(): string {
    return classifierText(this.#run, this.#shown)
  }

  get signal(): AbortSignal {
    return signalOf(this.#run)
  }

  get invocationId(): string {
    return this.#call.invocationId
  }

  get toolId(): string {
    return this.#run.tool!.toolId
  }

  get namespace(): string {
    return this.#run.tool!.draft.namespace
  }

  get name(): string {
    return this.#run.tool!.draft.name
  }

  get kind(): string {
    return this.#run.tool!.draft.kind
  }

  get source(): string {
    return this.#run.tool!.source
  }

  get fingerprint(): string {
    return this.#run.tool!.fingerprint
  }

  get permission(): PermissionRequest['permission'] {
    return this.#run.tool!.draft.permission
  }

  get mode(): string {
    return modeOf(this.#run)
  }

  get tool(): RuleTool {
    return ruleToolOf(this.#run, this.#run.tool!)
  }

  get workspace(): string {
    return this.#run.surface.request.workspace ?? this.#run.ports.workspace
  }

  get touched(): Touched | undefined {
    if (this.#touched === NOT_GATHERED) this.#run.touched = this.#touched = this.#gather()
    return this.#touched
  }

  #gather(): Touched | undefined {
    const { tool, input } = this
    if (input === this.#shown && touchesNothing(tool, input)) return undefined
    const { home, followLinks, exists, listFolder, folders, policy } = this.#run.ports
    return gatherTouched(
      tool,
      this.#shown,
      {
        workspace: this.workspace,
        home,
        followLinks,
        exists,
        listFolder,
        folders,
        isOwn: policy.isOwn,
        isOwnName: policy.isOwnName,
        hasPathRules: policy.hasPathRules(tool),
      },
      input,
    )
  }

  get surfaceId(): string {
    return this.#call.surfaceId
  }

  get actor(): string | undefined {
    return this.#run.row.actor
  }

  get session(): string | undefined {
    return this.#run.row.session
  }

  get tenant(): string {
    return this.#run.row.tenant
  }

  get role(): string | undefined {
    return this.#run.surface.request.role
  }
}

function classifierText(run: JudgedRun, input: unknown): string {
  const { draft } = run.tool!
  const show = draft.classifierInput as ((input: unknown) => unknown) | undefined
  try {
    const text = show ? String(show(input)) : classifierTextOf(classifierFields(draft), input)
    return cleanText(text, run)
  } catch {
    // A classifier cannot judge what the tool cannot show.
    return ''
  }
}

/** The request as plain data, for code that stores it or passes it on. */
export function toPlainRequest(asked: PermissionRequest): PermissionRequest {
  const { invocationId, toolId, namespace, name, kind, source, fingerprint, input, facts } = asked
  const { shownInput, classifierText, signal } = asked
  const { permission, tool, touched, workspace, mode, surfaceId, actor, session, tenant, role } = asked
  return {
    invocationId,
    toolId,
    namespace,
    name,
    kind,
    source,
    fingerprint,
    input,
    facts,
    permission,
    tool,
    touched,
    workspace,
    mode,
    surfaceId,
    actor,
    session,
    tenant,
    role,
    shownInput,
    classifierText,
    signal,
  }
}

/** Records a decision; ids and times follow from its position in the log. */
export function recordDecision(
  run: PolicyRun,
  verdict: Verdict,
  { facts, more }: { facts?: CallFacts | undefined; more?: Record<string, unknown> },
): void {
  if (verdict.earlier) recordEarlier(run, verdict, facts)
  run.decided = verdict
  const isPlain = run.secrets.length === 0 && more === undefined && facts !== undefined
  const constant = isPlain ? constantData(run, verdict, facts) : undefined
  const data = constant ?? { decision: decisionOf(run, verdict, more), facts }
  const whole = new DecisionData(data, run.recordedInput!)
  record(run, 'tool.permission.decided', whole, constant && run.at)
}

/** Records the earlier decisions on the way to a verdict: they are part of the story, whatever the verdict is. */
export function recordEarlier(run: PolicyRun, { earlier }: Verdict, facts: CallFacts | undefined): void {
  if (earlier) for (const before of earlier) recordDecision(run, before, { facts })
}

/** The same answer about the same facts adds nothing: its data is stored once. Only frozen ones stay the same. */
function constantData(run: PolicyRun, verdict: Verdict, facts: CallFacts): object | undefined {
  const { prepared } = run.tool!
  const last = prepared.decision
  const mode = modeOf(run)
  if (last?.verdict === verdict && last.facts === facts && last.mode === mode) return last.data
  if (!Object.isFrozen(verdict) || !Object.isFrozen(facts)) return undefined
  const data = shareData({ decision: decisionOf(run, verdict), facts })
  prepared.decision = { verdict, facts, mode, data }
  return data
}

export function decisionOf(run: PolicyRun, verdict: Verdict, more?: Record<string, unknown>): object {
  const { behavior, source, reason, rule_refs, policy_refs, suggested_updates, blocked_path, expires_at } =
    verdict
  const { classifier_ref, confidence, classifier_reason, pending_classifier_check, toolcrib } = verdict
  const { user_modified, accept_feedback } = verdict
  const content_blocks = cleanValue(verdict.content_blocks, run)
  if (policy_refs) keepEngines(run, policy_refs)
  if (content_blocks) run.contentBlocks = addBlocks(run.contentBlocks, content_blocks)
  return {
    behavior,
    mode: modeOf(run),
    source: source ?? 'toolcrib.decider',
    reason: cleanValue(reason, run) ?? { type: 'other' },
    rule_refs: cleanValue(rule_refs, run),
    policy_refs: cleanValue(policy_refs, run),
    suggested_updates: withoutSecrets(suggested_updates, run),
    blocked_path: cleanValue(blocked_path, run),
    content_blocks,
    user_modified,
    accept_feedback: cleanValue(accept_feedback, run),
    expires_at,
    classifier_ref,
    confidence,
    classifier_reason: cleanValue(classifier_reason, run),
    pending_classifier_check,
    toolcrib: cleanValue(toolcrib, run),
    ...more,
  }
}

/** Stores the engine in the version that answered: its policies may change later. */
function keepEngines({ ports }: PolicyRun, refs: readonly string[]): void {
  for (const ref of refs) {
    const version = engineVersionOf(ref)
    if (version) ports.keepDefinition(version.ref, () => version.content)
  }
}

/** A rule with a mask in it would be meaningless: an update that holds a secret is not offered. */
function withoutSecrets(updates: Verdict['suggested_updates'], run: PolicyRun): Verdict['suggested_updates'] {
  const clean = updates?.filter((update) => cleanValue(update, run) === update)
  return clean?.length === 0 ? undefined : clean
}

export function deniedBy(verdict: Verdict, run: PolicyRun): ToolError {
  const { reason, rule_refs, policy_refs, blocked_path } = cleanValue(verdict, run)
  return toolError(verdict.reason?.type === 'policy' ? 'policy_blocked' : 'permission_denied', {
    message: reason?.message ? `The call was denied: ${reason.message}` : 'The call was denied.',
    policyRefs: policy_refs,
    details: { ...(rule_refs && { rule_refs }), ...(blocked_path !== undefined && { blocked_path }) },
  })
}
