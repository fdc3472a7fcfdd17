import { resolve } from 'node:path'
import type { Journal } from '../../storage/journal/journal.js'
import type { Store } from '../../storage/store.js'
import { walkDocuments } from '../../storage/walk-documents.js'
import { isSameProof } from '../../approvals/sign-approval.js'
import { parseRule } from '../../policy/rules/parse-rule.js'
import { parseMode, type PermissionMode } from '../../policy/permission-mode.js'
import { applyUpdate, type PolicyContent, type RuleUpdate } from '../../policy/rules/rule-update.js'
import { ruleBehaviors, type Rule, type RuleBehavior } from '../../policy/rules/rule.js'

/** Rules that were granted to single sessions, or forbid them something, while they ran. */
export interface SessionRules {
  rules(): Rule[]
  modes(): ReadonlyMap<string, PermissionMode>
  folders(): ReadonlyMap<string, readonly string[]>
  /** Applies what another process granted. */
  load(): Promise<void>
  /** Without a session: for every session while this crib is open. */
  update(update: RuleUpdate, session: string | undefined): Promise<void>
}

export interface SessionRulesContext {
  store: Store
  journal: Journal
  tenant: string
  workspace: string
  now: () => number
  /** A signature that proves that a holder of the key wrote the value. */
  proofOf(value: object): string
}

interface GrantedRule {
  readonly behavior: RuleBehavior
  readonly text: string
  readonly reason?: string | undefined
}

interface Granted {
  readonly rules: readonly GrantedRule[]
  readonly mode?: PermissionMode | undefined
  readonly folders: readonly string[]
}

const KIND = 'session_policy'
const NOTHING: Granted = { rules: [], folders: [] }

/** Every session of this crib. */
export const ANY_SESSION = '*'

export async function openSessionRules(context: SessionRulesContext): Promise<SessionRules> {
  const { store, journal, tenant, now } = context
  const sessions = new Map<string, Granted>()

  async function load(): Promise<void> {
    for await (const { id, value } of walkDocuments(store, { tenant, kind: KIND })) {
      const granted = openGranted(context, id, value)
      if (granted) sessions.set(id, granted)
    }
  }

  await load()
  return {
    load,
    rules: () => [...sessions].flatMap(([session, granted]) => toRules(granted, session, context)),
    modes: () => new Map([...sessions].flatMap(([id, { mode }]) => (mode ? [[id, mode] as const] : []))),
    folders: () => new Map([...sessions].map(([id, { folders }]) => [id, folders] as const)),
    async update(update, session = ANY_SESSION) {
      const value = withUpdate(sessions.get(session) ?? NOTHING, update, { session, context })
      // Rules for all sessions of this crib must not apply to the next crib, so they are not stored.
      if (session !== ANY_SESSION) {
        await journal.put({
          tenant,
          kind: KIND,
          id: session,
          updatedAt: now(),
          value: signGranted(context, session, value),
        })
        await journal.durable()
      }
      sessions.set(session, value)
    },
  }
}

function withUpdate(
  present: Granted,
  update: RuleUpdate,
  { session, context }: { session: string; context: SessionRulesContext },
): Granted {
  const { workspace } = context
  const content: PolicyContent = {
    rules: toRules(present, session, context),
    mode: present.mode ?? 'default',
    workingDirectories: present.folders,
  }
  const after = applyUpdate(content, inWorkspace(update, workspace), workspace)
  return {
    rules: after.rules.map(({ behavior, text, reason }) => ({
      behavior,
      text,
      ...(reason !== undefined && { reason }),
    })),
    mode: update.type === 'set_mode' ? update.mode : present.mode,
    folders: after.workingDirectories,
  }
}

function inWorkspace(update: RuleUpdate, workspace: string): RuleUpdate {
  if (update.type !== 'add_directories' && update.type !== 'remove_directories') return update
  return { ...update, directories: update.directories.map((folder) => resolve(workspace, folder)) }
}

function toRules(
  { rules }: Granted,
  session: string,
  { tenant, workspace: base }: Pick<SessionRulesContext, 'tenant' | 'workspace'>,
): Rule[] {
  const when = session === ANY_SESSION ? { tenant: [tenant] } : { granted: { tenant, session } }
  return rules.map(({ behavior, text, reason }) =>
    parseRule(text, { behavior, source: 'session', base }, { when, reason }),
  )
}

/** Signed, so that a row that another program puts into the store grants nothing. */
function signGranted({ tenant, proofOf }: SessionRulesContext, session: string, granted: Granted): object {
  return { granted, proof: proofOf({ tenant, session, granted }) }
}

function openGranted(
  { tenant, proofOf }: SessionRulesContext,
  session: string,
  value: unknown,
): Granted | undefined {
  const { granted, proof }: Record<string, unknown> =
    typeof value === 'object' && value !== null ? { ...value } : {}
  if (session === ANY_SESSION || granted === undefined) return undefined
  const isOurs = isSameProof(proofOf({ tenant, session, granted }), proof)
  return isOurs ? readGranted(granted) : undefined
}

/** Parsed from the store; another version may have written it. */
function readGranted(value: unknown): Granted {
  const { rules, mode, folders }: Record<string, unknown> =
    typeof value === 'object' && value !== null ? { ...value } : {}
  return {
    rules: Array.isArray(rules) ? rules.filter(isRuleText) : [],
    mode: typeof mode === 'string' ? parseMode(mode) : undefined,
    folders: Array.isArray(folders) ? folders.filter((each) => typeof each === 'string') : [],
  }
}

function isRuleText(entry: unknown): entry is Granted['rules'][number] {
  if (typeof entry !== 'object' || entry === null) return false
  const { behavior, text, reason }: Record<string, unknown> = { ...entry }
  if (reason !== undefined && typeof reason !== 'string') return false
  return typeof text === 'string' && (ruleBehaviors as readonly unknown[]).includes(behavior)
}
