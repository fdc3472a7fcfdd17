import { ownCommand } from '../../platform/text/own-command.js'
import { homedir } from 'node:os'
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
import { baseOf, contentOf } from './policy-of.js'
import { isRuleText, type RuleFile } from '../../policy/files/rule-files.js'
import { ANY_SESSION, openSessionRules } from './session-rules.js'
import { trustFile } from '../../platform/trust/trust-list.js'
import { watchFiles } from '../../platform/files/watch-files.js'

/** What createCrib may be told about permission. */
export interface PermissionOptions {
  mode?: PermissionMode
  /** Rules: `tool` or `tool(specifier)`, or objects with rule, when, reason, match and not_match. */
  allow?: readonly unknown[]
  ask?: readonly unknown[]
  deny?: readonly unknown[]
  waivers?: readonly unknown[]
  /** Paths outside of these folders are asked about. */
  workingDirectories?: readonly string[]
  /** Whether what is declared to only read passes also where it may reach beyond its own context. No, unless said. */
  openReads?: boolean | undefined
  /** Decides what no rule decides. Unreachable or slow means deny. */
  engine?: PolicyEngine | undefined
  /** Set where the engine comes from a config that nobody has trusted. */
  engineOnlyRefuses?: boolean | undefined
  /** May fill what the mode `auto` leaves open, or tighten. */
  classifiers?: readonly ClassifierDefinition[] | undefined
  /** Rules of further sources, as loaded from their files. */
  layers?: readonly LoadedRules[]
  /** Whether the files of those sources are followed while the crib is open. No, unless said. */
  followFiles?: boolean | undefined
}

/** The rules of a crib, and the ways to change them. */
export interface PolicyControl {
  readonly revision: string
  readonly mode: PermissionMode
  rules(): readonly Rule[]
  /** Rules that cannot be read, and rules that wait for trust. */
  problems(): readonly ConfigProblem[]
  /** Makes a change that was offered, or one of your own, in the source that it names. */
  update(update: RuleUpdate, options?: UpdateOptions): Promise<void>
}

export interface UpdateOptions {
  /** Whose word it is. */
  by?: string | undefined
  /** For which session; absent: all of this crib. */
  session?: string | undefined
}

export interface PolicyControlParts {
  store: Store
  journal: Journal
  tenant: string
  workspace: string
  places: ProtectedPaths
  /** Who may change rules; where nobody is named, the host. */
  reviewers: readonly string[]
  now: () => number
  /** Proves that something was written by whoever holds the key. */
  proofOf(value: object): string
  redactor: Redactor
  keepDefinition: KeepDefinition
  /** Ends the following of files. */
  closing: AbortSignal
}

/** Joins the rules of all sources. The first layer is what the program itself said. */
export async function openPolicyControl(
  options: PermissionOptions,
  context: PolicyControlParts,
): Promise<{ policy: Policy; control: PolicyControl; reload(): Promise<void> }> {
  const { workspace, now, redactor, keepDefinition } = context
  let layers: readonly LoadedRules[] = [ownLayer(options, workspace), ...(options.layers ?? [])]
  const sessions = await openSessionRules(context)
  let lastChange: Promise<void> = Promise.resolve()

  const policy = createPolicy({
    ...content(),
    home: homedir(),
    baseOf: (source) => baseOf(layers, source) ?? workspace,
    places: context.places,
    now,
    openReads: options.openReads,
    onWaiverEnd: () => keepPolicy(),
  })
  // Whatever a policy consists of was written with it: a long list is not written again at every start.
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

  /** What was in force, so that the refs in decisions still stand for something when the rules have changed. */
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

  /** Takes over what another process changed: rules of sessions, and files. */
  async function reload(): Promise<void> {
    await sessions.load()
    layers = await Promise.all(layers.map(reloadLayer))
    const before = policy.revision
    policy.replace(content())
    if (policy.revision !== before) keepPolicy()
  }

  /** A change that somebody makes while this runs counts as if it had been there from the start, a deny above all. */
  function followFiles(): void {
    const texts = layers.flatMap(({ path }) => (path !== undefined && isRuleText(path) ? [path] : []))
    // What is trusted decides what of a project's rules counts.
    watchFiles([...texts, trustFile()], { onChange: () => inTurn(reload), signal: context.closing })
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

  /** One after the other: two at once would each write what the other had not seen. */
  function inTurn(work: () => Promise<void>): Promise<void> {
    const done = lastChange.then(work)
    lastChange = done.catch(() => {})
    return done
  }

  return {
    policy,
    reload: () => inTurn(reload),
    control: {
      get revision() {
        return policy.revision
      },
      get mode() {
        return policy.mode
      },
      rules: () => policy.rules,
      problems: () => layers.flatMap(problemsOf),
      async update(update, given = {}) {
        checkWho(given.by, context.reviewers)
        return inTurn(() => change(update, given))
      },
    },
  }
}

const HOLDS_SECRET =
  'The change of rules holds what looks like a secret, and rules are kept; write the rule with a pattern instead.'

/** Who asks cannot answer: no tool changes the rules, and where reviewers are named only they do. */
function checkWho(by: string | undefined, reviewers: readonly string[]): void {
  const inside = currentCall()
  if (inside !== undefined) {
    throw new Error(
      `Rules cannot be changed from inside the call ${inside}; change them outside of every tool.`,
    )
  }
  if (reviewers.length > 0 && (by === undefined || !reviewers.includes(by))) {
    throw new Error(`"${by ?? 'nobody'}" is not set up as a reviewer; there are ${reviewers.join(', ')}.`)
  }
}

function fileOf({ source, path }: LoadedRules): RuleFile | undefined {
  if (path === undefined) return undefined
  return { source, path, isProject: source === 'project_settings' || source === 'local_settings' }
}

async function reloadLayer(layer: LoadedRules): Promise<LoadedRules> {
  const file = fileOf(layer)
  // A module was run when the config was loaded: its rules stay until the next start.
  if (!file || !isRuleText(file.path)) return layer
  try {
    // What was named on the command line must be there; of the others each may be missing.
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

/** Rules are named and not repeated: most of them are in the next policy too. */
function describePolicy({ rules, mode, workingDirectories }: Policy): object {
  return { rule_refs: rules.map(ruleVersionRef), mode, working_directories: workingDirectories }
}

function problemsOf({ path, problems, untrusted }: LoadedRules): ConfigProblem[] {
  if (untrusted.length === 0) return [...problems]
  const count =
    untrusted.length === 1 ? 'One rule that loosens waits' : `${untrusted.length} rules that loosen wait`
  return [...problems, { file: path ?? '', message: `${count} for your trust; see "${ownCommand('trust')}"` }]
}
