import type { CommandRow, CommandSection, OptionRow } from './command.js'
import { completion, demo, doctor, help, schema, version } from '../command-rows/about.js'
import { approvals, approvalsShow, approvalsApprove, approvalsReject } from '../command-rows/approvals.js'
import { artifacts, artifactsList, artifactsShow, artifactsExport } from '../command-rows/artifacts.js'
import { call, batch } from '../command-rows/calls.js'
import { connect, disconnect, init } from '../command-rows/connect.js'
import { hooks, hooksTest } from '../command-rows/hooks.js'
import { explain, rules, rulesAdd, rulesRemove, trust, importRules } from '../command-rows/permission.js'
import { login, logout } from '../command-rows/login.js'
import { show, log, tasks, progress, cancel } from '../command-rows/record.js'
import { read, sweep } from '../command-rows/results.js'
import { redact } from '../command-rows/redact.js'
import { limits, locks } from '../command-rows/schedule.js'
import {
  serve,
  servers,
  serversAdd,
  serversRemove,
  serversShow,
  toolsAccept,
  toolsDiff,
  toolsLint,
} from '../command-rows/serve.js'
import { shellRead } from '../command-rows/shell.js'
import { tools, toolsBudget, toolsSearch, toolsShow } from '../command-rows/tools.js'

/** Understood by every command, before or after its name. */
export const commonOptions: readonly OptionRow[] = [
  { flags: '--config <file>', description: 'use this config file instead of the nearest one' },
  { flags: '--store <path>', description: 'store records in this file, or in "memory"' },
  { flags: '--json', description: 'print records as JSON, for programs' },
]

export const exitCodes: readonly { code: number; meaning: string }[] = [
  { code: 0, meaning: 'Success.' },
  {
    code: 1,
    meaning: 'The tool call ended with an error, was refused or was canceled; or an input line was invalid.',
  },
  {
    code: 2,
    meaning: 'The command line, the config or the store is wrong, or the tool or call does not exist.',
  },
  { code: 130, meaning: 'Ctrl-C ended the command, after everything that it had opened was closed.' },
  { code: 143, meaning: 'SIGTERM ended the command in the same way; "serve" then exits with 0.' },
]

/** What commands of two words have in common, where the first word is no command itself. */
export const commandGroups: Readonly<Record<string, string>> = {
  shell: 'look at shell commands without running them',
}

/** Every command, in the order in which help and docs show them. */
export const sections: readonly CommandSection[] = [
  { title: 'Start', commands: [demo, init, connect, disconnect, doctor] },
  { title: 'Servers', commands: [serve, servers, serversShow, serversAdd, serversRemove, login, logout] },
  {
    title: 'Tools and calls',
    commands: [
      tools,
      toolsShow,
      toolsSearch,
      toolsBudget,
      toolsLint,
      toolsDiff,
      toolsAccept,
      call,
      batch,
      tasks,
      progress,
      cancel,
    ],
  },
  {
    title: 'Permission',
    commands: [
      approvals,
      approvalsShow,
      approvalsApprove,
      approvalsReject,
      explain,
      rules,
      rulesAdd,
      rulesRemove,
      trust,
      importRules,
      hooks,
      hooksTest,
      limits,
      locks,
    ],
  },
  {
    title: 'Records and results',
    commands: [log, show, read, artifacts, artifactsList, artifactsShow, artifactsExport, sweep],
  },
  { title: 'Other', commands: [shellRead, redact, schema, completion, version, help] },
]

export const commands: readonly CommandRow[] = sections.flatMap((section) => section.commands)
