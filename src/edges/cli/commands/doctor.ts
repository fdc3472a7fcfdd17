import { homedir } from 'node:os'
import { entriesNoun } from '../../../host/sources/config-entries.js'
import { oneLine } from '../../../platform/text/printable.js'
import type { ExitCode, Given } from '../program/command.js'
import { checkClients } from '../doctor/check-clients.js'
import { checkConfig } from '../doctor/check-config.js'
import { checkNode } from '../doctor/check-node.js'
import { checkPort } from '../doctor/check-port.js'
import { checkSandbox } from '../doctor/check-sandbox.js'
import { checkSources } from '../doctor/check-sources.js'
import { checkSealKey, checkStore } from '../doctor/check-store.js'
import type { Finding } from '../doctor/finding.js'
import { padText, wrapText } from '../terminal/fit-text.js'
import type { Terminal } from '../terminal/terminal.js'
import { waitMsOf } from '../input/wait-option.js'

/** Checks everything that a set-up needs, one line each. Nothing is changed. */
export async function run({ options }: Given, terminal: Terminal): Promise<ExitCode> {
  const waitMs = waitMsOf(options)
  const findings: Finding[] = []
  const report = (...found: Finding[]): void => {
    findings.push(...found)
    if (!options.json) for (const each of found) print(each, terminal)
  }
  report(checkNode())
  const { settings, findings: ofConfig, isRead } = await checkConfig(options)
  report(...ofConfig)
  // The config names the store.
  if (isRead) report(await checkStore(settings, options))
  report(checkSealKey())
  if (isRead) {
    terminal.showStatus(`starting the ${entriesNoun(settings)}`)
    const ofServers = await checkSources(settings, { waitMs, options })
    terminal.showStatus(undefined)
    report(...ofServers, ...(await checkSandbox(settings)), await checkPort(settings))
  }
  report(...checkClients(settings, { home: homedir(), platform: process.platform, env: process.env }))
  if (options.json) terminal.printJson(findings, 2)
  return findings.some(({ status }) => status === 'problem') ? 1 : 0
}

const STATUS_WIDTH = 'problem'.length + 2
const CHECK_WIDTH = 18

function print(
  { check, status, message, next }: Finding,
  { print: put, style, columns, isShown }: Terminal,
): void {
  const sentence = oneLine(message.replaceAll(/\s*\n\s*/g, ' '))
  const text = next === undefined ? sentence : `${sentence.replace(/\.$/, '')}; next: ${oneLine(next)}`
  const paint = status === 'ok' ? style.good : style.bad
  const head = paint(status.padEnd(STATUS_WIDTH)) + padText(oneLine(check), CHECK_WIDTH - 2) + '  '
  const margin = STATUS_WIDTH + CHECK_WIDTH
  const [first = '', ...rest] = wrapText(text, isShown ? columns - margin : Infinity)
  put(`${head}${first}`)
  for (const line of rest) put(`${' '.repeat(margin)}${line}`)
}
