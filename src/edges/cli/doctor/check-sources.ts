import { ownCommand, sameCommand, shellWord } from '../../../platform/text/own-command.js'
import { inspectSources, type InspectedSource } from '../../../host/sources/inspect-sources.js'
import { createAgents } from '../../../crib/catalog/agents.js'
import { shadowedAgents } from '../../../host/serving/gateway-settings.js'
import type { CribSettings } from '../../../host/crib-settings.js'
import type { SeenServer } from '../../../sources/mcp/servers/server-snapshot.js'
import type { GivenOptions } from '../program/command.js'
import { reasonText } from '../../../host/sources/reason-text.js'
import { redactorFor } from '../../../host/redactor-for.js'
import { healthText } from '../serve/log-servers.js'
import { problemSentence, setupSentences, SLOW_START } from '../servers/server-row.js'
import { serversIn } from '../servers/servers-in.js'
import type { Finding } from './finding.js'

/** Whether each server and other source of the config starts and answers in time. They are closed again. */
export function checkSources(
  settings: CribSettings,
  { waitMs, options }: { waitMs: number; options: GivenOptions },
): Promise<Finding[]> {
  const look = { waitMs, store: options.store }
  return inspectSources(settings, look, async ({ problems, secrets, slow, ...looked }) => {
    const { servers, others } = serversIn(looked)
    const redactor = redactorFor(settings.config, secrets)
    const left = problems
      // That an untrusted config starts nothing is reported once.
      .filter(({ isLeftOut, untrusted }) => isLeftOut && untrusted === undefined)
      .map(({ entry, kind, message }): Finding => ({
        check: `${kind.noun} ${entry}`,
        status: 'problem',
        message,
      }))
    return redactor.value([
      ...left,
      ...servers.map((server) => {
        const finding = withSlowStart(findingOf(server, waitMs), slow.has(server.name))
        return withChanges(finding, { entry: server.name, changed: server.changed().length })
      }),
      ...others.map((source) =>
        withChanges(sourceFinding(source, waitMs), { entry: source.entry, changed: source.changed.length }),
      ),
      ...agentFindings(settings, others),
    ]) as Finding[]
  })
}

function withSlowStart(finding: Finding, isSlow: boolean): Finding {
  if (!isSlow || finding.status === 'ok') return finding
  return { ...finding, message: `${finding.message.replace(/[.\s]*$/, '')}. ${SLOW_START}` }
}

/** Changed tools are blocked until a person has looked at them. */
function withChanges(finding: Finding, { entry, changed }: { entry: string; changed: number }): Finding {
  if (changed === 0 || finding.status !== 'ok') return finding
  return {
    ...finding,
    status: 'problem',
    message: `${finding.message.replace(/[.\s]*$/, '')}. ${changed} of its tools changed and ${changed === 1 ? 'is' : 'are'} blocked until you accept ${changed === 1 ? 'it' : 'them'}.`,
    next: ownCommand(`tools diff ${shellWord(entry)}`),
  }
}

function findingOf(server: SeenServer, waitMs: number): Finding {
  const check = `server ${server.name}`
  const health = server.health()
  const next = ownCommand(`servers show ${shellWord(server.name)}`)
  switch (health.state) {
    case 'ready':
    case 'idle':
    case 'disabled':
      return { check, status: 'ok', message: healthText(server) }
    case 'connecting':
      return {
        check,
        status: 'problem',
        message: `it did not answer within ${waitMs / 1000} s${health.said === undefined ? '' : `. ${health.said}`}`,
        next: health.said === undefined ? sameCommand(`--wait ${Math.ceil(waitMs / 250)}`) : next,
      }
    case 'degraded':
      return { check, status: 'problem', message: healthText(server), next }
    case 'failed':
      return { check, status: 'problem', message: reasonText(health.reason, health.said), next }
  }
}

/** Agents that cannot be served, or not under their names. */
function agentFindings(settings: CribSettings, others: readonly InspectedSource[]): Finding[] {
  const agents = createAgents()
  for (const { source, entry } of others) {
    const offered = source.surfaces?.()
    if (offered) agents.set(source, { name: entry, agents: offered })
  }
  const known = agents.list()
  const broken = known.flatMap(({ name, problem }): Finding[] =>
    problem === undefined ? [] : [{ check: `agent ${name}`, status: 'problem', message: problem }],
  )
  const shadowed = shadowedAgents(settings, known).map((message): Finding => ({
    check: 'agents',
    status: 'problem',
    message,
  }))
  return [...broken, ...shadowed]
}

function sourceFinding({ kind, entry, status, problems }: InspectedSource, waitMs: number): Finding {
  const check = `${kind.noun} ${entry}`
  const next = ownCommand(`servers show ${shellWord(entry)}`)
  switch (status.state) {
    case 'ready': {
      const { tools, requiresSetup = [] } = status
      const ready = `ready, ${tools} ${tools === 1 ? 'tool' : 'tools'}`
      const [problem] = problems
      if (problem !== undefined)
        return {
          check,
          status: 'problem',
          message: `${ready}. ${problemSentence(problem, problems.length)}`,
          next,
        }
      const unusable = requiresSetup.reduce((count, gap) => count + gap.tools, 0)
      if (unusable === 0) return { check, status: 'ok', message: ready }
      const message = `${ready}. ${setupSentences(requiresSetup).join(' ')}`
      // Some operations often need more rights than a person has: that is no wrong set-up.
      return unusable < tools ? { check, status: 'ok', message } : { check, status: 'problem', message, next }
    }
    case 'disabled':
      return { check, status: 'ok', message: 'disabled' }
    case 'connecting':
      return {
        check,
        status: 'problem',
        message: `it did not answer within ${waitMs / 1000} s`,
        next: sameCommand(`--wait ${Math.ceil(waitMs / 250)}`),
      }
    case 'failed':
      return { check, status: 'problem', message: reasonText(status.problem), next }
  }
}
