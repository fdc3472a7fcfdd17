import { createSerialQueue } from '../../platform/async/create-serial-queue.js'
import { ownCommand } from '../../platform/text/own-command.js'
import { homedir } from 'node:os'
import { isReviewer, notAReviewer } from '../../approvals/may-answer.js'
import type { ConfigProblem } from '../../platform/config/describe-problem.js'
import type { Journal } from '../../storage/journal/journal.js'
import type { Redactor } from '../../redaction/redactor.js'
import { readDefinition } from '../../storage/definition-documents.js'
import type { Store } from '../../storage/store.js'
import { checkOptions, type OptionKind } from '../../platform/validation/check-options.js'
import { currentCall } from '../../pipeline/execute/inside-call.js'
import type { ClassifierDefinition } from '../../policy/deciders/classifier.js'
import type { PolicyEngine } from '../../policy/engines/policy-engine.js'
import { checkUpdate } from '../../policy/rules/check-update.js'
import type { PermissionMode } from '../../policy/permission-mode.js'
import { createPolicy, type Policy } from '../../policy/policy.js'
import type { ProtectedPaths } from '../../policy/protected-paths.js'
import type { Caller } from '../../policy/rules/hiding-rule.js'
import type { HostUser } from '../../policy/rules/host-rule.js'
import type { Rule } from '../../policy/rules/rule.js'
import {
  describeRule,
  describeWaiver,
  ruleVersionRef,
  waiverVersionRef,
} from '../../policy/rules/rule-version.js'
import type { PolicyContent, RuleUpdate } from '../../policy/rules/rule-update.js'
import { changeRuleFile } from '../../policy/files/change-rule-file.js'
import { emptyLayer } from '../../policy/files/empty-layer.js'
import type { KeepDefinition } from '../catalog/keep-definitions.js'
import { loadRuleFile, ruleSetOf, unreadable } from '../../policy/files/load-rules.js'
import type { LoadedRules } from '../../policy/files/loaded-rules.js'
import { describeRules, ruleDestinations, type DescribedPolicy } from './describe-policy.js'
import { baseOf, contentOf } from './policy-of.js'
import {
  compareDecisions,
  withRuleChanges,
  type PreviewOptions,
  type RuleChanges,
  type RulesPreview,
} from './preview-rules.js'
import type { Catalog } from '../../catalog/catalog.js'
import type { DiskFacts } from '../files/disk-facts.js'
import type { RuleSource } from '../../contract/unions.js'
import { isRuleText, type RuleFile } from '../../policy/files/rule-files.js'
import { ANY_SESSION, openSessionRules } from './session-rules.js'
import { trustFile } from '../../platform/trust/trust-list.js'
import { watchFiles } from '../../platform/files/watch-files.js'

/** The permission options of `createCrib`. */
export interface PermissionOptions {
  mode?: PermissionMode
  /** Rules: `tool` or `tool(specifier)`, or objects with rule, when, reason, match and not_match. */
  allow?: readonly unknown[]
  ask?: readonly unknown[]
  deny?: readonly unknown[]
  waivers?: readonly unknown[]
  /** Paths outside these folders require approval. */
  workingDirectories?: readonly string[]
  /**
   * Whether tools declared read-only run without approval even if they may reach beyond their own context. Default: no.
   */
  openReads?: boolean | undefined
  /** Decides calls that no rule decides. If it is unreachable or slow, the call is denied. */
  engine?: PolicyEngine | undefined
  /** Set if the engine comes from an untrusted config: it may deny, not allow. */
  engineOnlyRefuses?: boolean | undefined
  /** Decide what the mode `auto` leaves open, or tighten a decision. */
  classifiers?: readonly ClassifierDefinition[] | undefined
  /** Rules of other sources, as loaded from their files. */
  layers?: readonly LoadedRules[]
  /** Whether those files are followed while the crib is open. Default: no. */
  followFiles?: boolean | undefined
}

/** The rules of a crib, and the ways to change them. */
export interface PolicyControl {
  readonly revision: string
  readonly mode: PermissionMode
  rules(): readonly Rule[]
  /** Unreadable rules, and rules that wait for trust. */
  problems(): readonly ConfigProblem[]
  /**
   * The deny or ask rule about a host that is accessed by something other than a tool, such as the resources of a
   * server.
   */
  hostRule(user: HostUser, caller: Partial<Caller>): Rule | undefined
  /** The same for people: each rule with its origin and its examples, and where a rule can be written. */
  describe(): DescribedPolicy
  /**
   * Which of the last calls the rules would decide otherwise after these changes. Engines, classifiers and hooks are not
   * asked. Nothing is changed.
   */
  preview(changes: RuleChanges, options?: PreviewOptions): Promise<RulesPreview>
  /** Applies an offered change, or one of the host, in the source that it names. */
  update(update: RuleUpdate, options?: UpdateOptions): Promise<void>
}

export interface UpdateOptions {
  /** Who makes the change. */
  by?: string | undefined
  /** The roles of the one who makes it, such as `reviewer`; the calling program vouches for them. */
  roles?: readonly string[] | undefined
  /** The session it applies to; absent: all sessions of this crib. */
  session?: string | undefined
  /** An operator of the server makes it, who need not be a reviewer. The server has checked who it is. */
  isOperator?: boolean | undefined
}

export interface PolicyControlParts {
  store: Store
  journal: Journal
  tenant: string
  workspace: string
  protectedPaths: ProtectedPaths
  /** Who may change rules; if empty, the host. */
  reviewers: readonly string[]
  now: () => number
  /** A signature that proves that a holder of the key wrote the value. */
  proofOf(value: object): string
  redactor: Redactor
  keepDefinition: KeepDefinition
  readonly catalog: Catalog
  readonly disk: DiskFacts
  /** Stops the following of files. */
  closing: AbortSignal
}

/** Joins the rules of all sources. The first layer is the host program's own. */
export async function openPolicyControl(
  options: PermissionOptions,
  context: PolicyControlParts,
): Promise<{ policy: Policy; control: PolicyControl; reload(): Promise<void> }> {
  const { workspace, now, redactor, keepDefinition } = context
  let layers: readonly LoadedRules[] = [ownLayer(options, workspace), ...(options.layers ?? [])]
  const sessions = await openSessionRules(context)
  // One at a time: two concurrent changes would overwrite each other.
  const changes = createSerialQueue()

  const baseFor = (source: RuleSource): string => baseOf(layers, source) ?? workspace
  const policyWith = (given: PolicyContent, onWaiverEnd?: () => void): Policy =>
    createPolicy({
      ...given,
      home: homedir(),
      baseOf: baseFor,
      protectedPaths: context.protectedPaths,
      now,
      openReads: options.openReads,
      onWaiverEnd,
    })
  const policy = policyWith(content(), () => keepPolicy())
  // A policy and its rules are stored together: a long list is not written again at every start.
  if (!(await readDefinition(context.store, policyRef(policy)))) keepPolicy()
  if (options.followFiles) followFiles()

  function content(): PolicyContent {
    const ofFiles = contentOf(layers)
    const sessionFolders = sessions.folders()
    return {
      ...ofFiles,
      rules: [...ofFiles.rules, ...sessions.rules()],
      workingDirectories: [...ofFiles.workingDirectories, ...(sessionFolders.get(ANY_SESSION) ?? [])],
      sessionModes: sessions.modes(),
      sessionFolders,
    }
  }

  /** Stores the policy in force, so that refs in decisions resolve after the rules have changed. */
  function keepPolicy(change?: { update: RuleUpdate; by: string | undefined }): void {
    if (policy.rules.length === 0) return
    for (const rule of policy.rules) {
      keepDefinition(ruleVersionRef(rule), () => describeRule(rule))
      const { waiver } = rule
      if (waiver) keepDefinition(waiverVersionRef(waiver), () => describeWaiver(waiver))
    }
    keepDefinition(policyRef(policy), () => ({ ...describePolicy(policy), ...(change && { change }) }))
  }

  async function updateFile(update: RuleUpdate): Promise<void> {
    const { destination: source } = update
    const layer = layers.find((each) => each.source === source && each.path !== undefined)
    if (!layer) {
      throw new Error(
        `No file is known for ${source}; use the destination "session", or open the crib from a config file.`,
      )
    }
    await changeRuleFile(fileOf(layer)!, update, { isPerson: true })
    const loaded = await reloadLayer(layer)
    layers = layers.map((each) => (each === layer ? loaded : each))
  }

  /** Applies changes of another process: rules of sessions, and files. */
  async function reload(): Promise<void> {
    await sessions.load()
    layers = await Promise.all(layers.map(reloadLayer))
    const before = policy.revision
    policy.replace(content())
    if (policy.revision !== before) keepPolicy()
  }

  /** Changes of rule files apply while the crib is open, above all new deny rules. */
  function followFiles(): void {
    const texts = layers.flatMap(({ path }) => (path !== undefined && isRuleText(path) ? [path] : []))
    // The trust file decides which rules of a project count.
    watchFiles([...texts, trustFile()], { onChange: () => changes.run(reload), signal: context.closing })
  }

  async function change(update: RuleUpdate, { session, by }: UpdateOptions): Promise<void> {
    const problem = checkUpdate(update)
    if (problem !== undefined) throw new TypeError(problem)
    if (redactor.value(update) !== update) throw new TypeError(HOLDS_SECRET)
    if (update.destination === 'session') await sessions.update(update, session)
    else await updateFile(update)
    policy.replace(content())
    keepPolicy({ update, by })
  }

  /** Both policies are copies: the rules may change while calls are judged. */
  async function preview(changed: RuleChanges, given: PreviewOptions): Promise<RulesPreview> {
    const present = content()
    const { content: next, problems } = withRuleChanges(present, changed, baseFor)
    const both = { before: policyWith(present), after: policyWith(next) }
    return { ...(await compareDecisions(context, both, given)), problems: redactor.value(problems) }
  }

  return {
    policy,
    reload: () => changes.run(reload),
    control: {
      get revision() {
        return policy.revision
      },
      get mode() {
        return policy.mode
      },
      rules: () => policy.rules,
      problems: () => layers.flatMap(problemsOf),
      describe: () =>
        redactor.value({
          revision: policy.revision,
          mode: policy.mode,
          rules: describeRules(policy.rules, now()),
          problems: layers.flatMap(problemsOf),
          destinations: ruleDestinations(layers),
        }),
      preview: (changed, given = {}) => preview(changed, given),
      hostRule: (user, { actor, role, session, surfaceId = '', tenant = 'default', mode }) =>
        policy.hostRule(user, {
          mode: policy.modeFor(session, mode),
          actor,
          role,
          session,
          surfaceId,
          tenant,
        }),
      async update(update, given = {}) {
        checkWho(given, context.reviewers)
        return changes.run(() => change(update, given))
      },
    },
  }
}

const HOLDS_SECRET =
  'The change of rules holds what looks like a secret, and rules are kept; write the rule with a pattern instead.'

/** No tool may change the rules: the caller of an approval must not answer it. If reviewers are named, only they may. */
function checkWho({ by, roles, isOperator = false }: UpdateOptions, reviewers: readonly string[]): void {
  const inside = currentCall()
  if (inside !== undefined) {
    throw new Error(
      `Rules cannot be changed from inside the call ${inside}; change them outside of every tool.`,
    )
  }
  const isNamed = by !== undefined && isReviewer(reviewers, { by, roles })
  if (!isOperator && reviewers.length > 0 && !isNamed) {
    throw new Error(notAReviewer(by ?? 'nobody', reviewers))
  }
}

function fileOf({ source, path }: LoadedRules): RuleFile | undefined {
  if (path === undefined) return undefined
  return { source, path, isProject: source === 'project_settings' || source === 'local_settings' }
}

async function reloadLayer(layer: LoadedRules): Promise<LoadedRules> {
  const file = fileOf(layer)
  // A module ran when the config was loaded: its rules stay until the next start.
  if (!file || !isRuleText(file.path)) return layer
  try {
    // A file named on the command line must exist; the others may be missing.
    return (await loadRuleFile(file, { mustExist: file.source === 'flag_settings' })) ?? emptyLayer(file)
  } catch {
    return unreadable(file, [{ file: file.path, message: 'the rules in it cannot be read' }])
  }
}

const PERMISSION_OPTIONS = {
  mode: 'text',
  allow: 'list',
  ask: 'list',
  deny: 'list',
  waivers: 'list',
  workingDirectories: 'texts',
  openReads: 'boolean',
  engine: 'object',
  engineOnlyRefuses: 'boolean',
  classifiers: 'list',
  layers: 'list',
  followFiles: 'boolean',
} as const satisfies Record<keyof PermissionOptions, OptionKind>

function ownLayer(options: PermissionOptions, base: string): LoadedRules {
  checkOptions('createCrib, permission', options, PERMISSION_OPTIONS)
  const { allow, ask, deny, waivers, mode, workingDirectories } = options
  const block = { allow, ask, deny, waivers, mode, working_directories: workingDirectories }
  const place = { source: 'flag_settings', path: undefined, base } as const
  const set = ruleSetOf(block, place)
  const problems = set.problems.map(({ message }) => ({ file: 'createCrib', message }))
  return { ...place, set, problems, isTrusted: true, untrusted: [] }
}

function policyRef({ revision }: Policy): string {
  return `policy:${revision}`
}

/** Refers to the rules instead of repeating them: most of them are in the next policy too. */
function describePolicy({ rules, mode, workingDirectories }: Policy): object {
  return { rule_refs: rules.map(ruleVersionRef), mode, working_directories: workingDirectories }
}

function problemsOf({ path, problems, untrusted }: LoadedRules): ConfigProblem[] {
  if (untrusted.length === 0) return [...problems]
  const count =
    untrusted.length === 1 ? 'One rule that loosens waits' : `${untrusted.length} rules that loosen wait`
  return [...problems, { file: path ?? '', message: `${count} for your trust; see "${ownCommand('trust')}"` }]
}
