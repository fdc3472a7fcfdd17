import type { AgentStatus } from '../../crib/catalog/agents.js'
import type { Crib } from '../../crib/crib.js'
import { ownVersion } from '../../platform/files/own-package.js'
import type { SurfaceRequest } from '../../surfaces/surface-request.js'
import { nearestWord } from '../../platform/config/nearest-word.js'
import type { CribSettings } from '../crib-settings.js'
import { isInsideCall } from '../is-inside-call.js'
import { actorOf, personName } from '../actor-of.js'
import { settingsForAgent, surfaceRequestOf } from '../load-settings.js'
import { approvalsCommand } from './approvals-command.js'
import { noToolsFor } from './why-no-tools.js'

/** The user behind a client, who may answer its questions in the client. */
interface ClientUser {
  readonly name: string
  readonly mayChangeRules: boolean
}

/** A surface that callers can name. */
export interface SurfaceName {
  readonly name: string
  readonly kind: 'config' | 'agent'
  /** Of an agent: the source that offers it. */
  readonly source?: string | undefined
  /** Why it cannot be opened. */
  readonly problem?: string | undefined
}

/** The options of a gateway that follow from a config. The caller of `createGateway` adds the crib and the servers. */
export interface GatewaySettings {
  readonly info: { readonly name: string; readonly title: string; readonly version: string }
  readonly surfaces: (name: string) => SurfaceRequest | { readonly problem: string } | undefined
  /** Every name that `surfaces` knows, those of the config first. */
  readonly surfaceNames: () => readonly SurfaceName[]
  readonly names: 'server' | 'bare'
  readonly listWaitMs: number | undefined
  readonly approvalsCommand: string
  readonly whyNoTools: () => string | undefined
  readonly personBehind?: (caller: { readonly actor: string }) => ClientUser
}

export function gatewaySettingsOf(
  settings: CribSettings,
  { crib, store }: { crib: Pick<Crib, 'tools' | 'pendingProviders' | 'agents'>; store: string | undefined },
): GatewaySettings {
  const { serve, approvals } = settings.config
  const owner = actorOf(settings)
  // Named reviewers are other people than the caller: no user behind a client answers in their place. And if a tool started
  // this gateway, the tool is the client, and there is no user behind it.
  const mayAnswer = (approvals?.reviewers ?? []).length === 0 && !isInsideCall()
  return {
    info: gatewayInfo(),
    surfaces: surfaceLookup(settings, crib),
    surfaceNames: () => surfaceNames(settings, crib),
    names: serve?.names ?? 'server',
    listWaitMs: serve?.listWaitMs,
    approvalsCommand: approvalsCommand(settings, { store }),
    whyNoTools: () => noToolsFor(settings, crib),
    ...(mayAnswer && { personBehind: ({ actor }) => userBehind(actor, owner) }),
  }
}

/** How the gateway names itself to clients and to upstream servers. */
export function gatewayInfo(): GatewaySettings['info'] {
  return { name: 'toolcrib', title: 'Toolcrib', version: ownVersion() }
}

/** The owner of the gateway may change rules with an answer. Other users answer single calls of their own. */
function userBehind(actor: string, owner: string): ClientUser {
  return actor === owner
    ? { name: personName(), mayChangeRules: true }
    : { name: `person:${actor}`, mayChangeRules: false }
}

/**
 * A tenth of the 200,000 tokens that models commonly read. More would cost a client tokens before its first message,
 * and models choose worse among many tools.
 */
const SERVED_BUDGET_TOKENS = 20_000

/** A caller that names no surface gets `default`. An agent is a surface too, unless the config has one of its name. */
export function surfaceLookup(
  settings: CribSettings,
  crib: Pick<Crib, 'agents'>,
): GatewaySettings['surfaces'] {
  const { serve, surface = {} } = settings.config
  const requestOf = (of: CribSettings): SurfaceRequest =>
    withBudget(surfaceRequestOf(of), serve?.budgetTokens ?? SERVED_BUDGET_TOKENS)
  const configured = new Map(
    Object.entries({ ...serve?.surfaces, default: surface }).map(([name, ofSurface]) => [
      name,
      requestOf({ ...settings, config: { ...settings.config, surface: ofSurface } }),
    ]),
  )
  return (name) => {
    const agents = crib.agents()
    const find = (given: string | undefined): AgentStatus | undefined =>
      agents.find((each) => each.name === given || `${each.source}.${each.name}` === given)
    const found = configured.get(name) ?? (find(name) && requestOf(settingsForAgent(settings, name)))
    if (!found) {
      const near = nearestWord(name, [...configured.keys(), ...agents.map((each) => each.name)])
      return near === undefined
        ? undefined
        : { problem: `There is no surface "${name}"; did you mean "${near}"?` }
    }
    if (found.agent === undefined) return found
    const agent = find(found.agent)
    if (!agent)
      return { problem: `The surface "${name}" is of the agent "${found.agent}", which no source offers.` }
    return agent.problem === undefined
      ? found
      : { problem: `The agent "${agent.name}" has no surface: ${agent.problem}` }
  }
}

export function surfaceNames(settings: CribSettings, crib: Pick<Crib, 'agents'>): SurfaceName[] {
  const lookup = surfaceLookup(settings, crib)
  const configured = Object.keys({ default: {}, ...settings.config.serve?.surfaces })
  const problemOf = (name: string): { problem?: string } => {
    const found = lookup(name)
    return found && 'problem' in found ? { problem: found.problem } : {}
  }
  return [
    ...configured.map((name): SurfaceName => ({ name, kind: 'config', ...problemOf(name) })),
    ...crib
      .agents()
      .flatMap(({ name, source }): SurfaceName | [] =>
        configured.includes(name) ? [] : { name, kind: 'agent', source, ...problemOf(name) },
      ),
  ]
}

/** A sentence for each agent that is not served under its name, because the config has a surface of that name. */
export function shadowedAgents(settings: CribSettings, agents: readonly AgentStatus[]): string[] {
  const surfaces = { ...settings.config.serve?.surfaces, default: settings.config.surface }
  return agents.flatMap(({ name, source }) => {
    if (!Object.hasOwn(surfaces, name) || surfaces[name as 'default']?.agent === name) return []
    return `The agent "${name}" of ${source} is not served under its name: the config has a surface "${name}"; rename one of them, or use ${source}.${name}.`
  })
}

/** Many clients never list tools again, so that deferred tools are called through `tool.call` by default. */
function withBudget(request: SurfaceRequest, budgetTokens: number): SurfaceRequest {
  const { deferral } = request
  if (deferral?.budgetTokens !== undefined || budgetTokens === 0) return request
  return { ...request, deferral: { way: 'pair', ...deferral, budgetTokens } }
}
