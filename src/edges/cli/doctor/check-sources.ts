import { ownCommand, sameCommand, shellWord } from '../../../platform/text/own-command.js'
import { lookAtSources, type SeenSource } from '../../../host/sources/look-at-sources.js'
import type { CribSettings } from '../../../host/crib-settings.js'
import type { SeenServer } from '../../../sources/mcp/servers/server-snapshot.js'
import type { GivenOptions } from '../program/command.js'
import { reasonText } from '../terminal/reason-text.js'
import { redactorFor } from '../program/redactor-for.js'
import { healthWords } from '../serve/tell-servers.js'
import { SLOW_START } from '../servers/server-row.js'
import type { Finding } from './finding.js'

/** Whether each server and other source of the config starts and answers in time. They are closed again. */
export function checkSources(
  settings: CribSettings,
  { waitMs, options }: { waitMs: number; options: GivenOptions },
): Promise<Finding[]> {
  const look = { waitMs, store: options.store }
  return lookAtSources(settings, look, async ({ servers, others, problems, secrets, slow }) => {
    const redactor = redactorFor(settings.config, secrets)
    const left = problems
      // That nothing of an untrusted config starts is said once.
      .filter(({ isLeftOut, untrusted }) => isLeftOut && untrusted === undefined)
      .map(({ entry, message }): Finding => ({ check: checkOf(entry), status: 'problem', message }))
    return redactor.value([
      ...left,
      ...servers.map((server) => withSlowStart(findingOf(server, waitMs), slow.has(server.name))),
      ...others.map((source) => sourceFinding(source, waitMs)),
    ]) as Finding[]
  })
}

function withSlowStart(finding: Finding, isSlow: boolean): Finding {
  if (!isSlow || finding.status === 'ok') return finding
  return { ...finding, message: `${finding.message.replace(/[.\s]*$/, '')}. ${SLOW_START}` }
}

const checkOf = (server: string): string => `server ${server}`

function findingOf(server: SeenServer, waitMs: number): Finding {
  const check = checkOf(server.name)
  const health = server.health()
  const next = ownCommand(`servers show ${shellWord(server.name)}`)
  switch (health.state) {
    case 'ready':
    case 'idle':
    case 'disabled':
      return { check, status: 'ok', message: healthWords(server) }
    case 'connecting':
      return {
        check,
        status: 'problem',
        message: `it did not answer within ${waitMs / 1000} s${health.said === undefined ? '' : `. ${health.said}`}`,
        next: health.said === undefined ? sameCommand(`--wait ${Math.ceil(waitMs / 250)}`) : next,
      }
    case 'degraded':
      return { check, status: 'problem', message: healthWords(server), next }
    case 'failed':
      return { check, status: 'problem', message: reasonText(health.reason, health.said), next }
  }
}

function sourceFinding({ kind, status }: SeenSource, waitMs: number): Finding {
  const check = `${kind.noun} ${status.name}`
  switch (status.state) {
    case 'ready':
      return {
        check,
        status: 'ok',
        message: `ready, ${status.tools} ${status.tools === 1 ? 'tool' : 'tools'}`,
      }
    case 'connecting':
      return { check, status: 'problem', message: `it did not answer within ${waitMs / 1000} s` }
    case 'failed':
      return { check, status: 'problem', message: reasonText(status.problem) }
  }
}
