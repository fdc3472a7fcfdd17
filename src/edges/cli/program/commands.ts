import type { CommandRow, CommandSection, OptionRow } from './command.js'
import { addBuiltins, addMcp, addOpenapi, addTools } from '../command-rows/add.js'
import { completion, demo, doctor, help, schema, version } from '../command-rows/about.js'
import {
  approvals,
  approvalsAnswer,
  approvalsApprove,
  approvalsReject,
  approvalsShow,
} from '../command-rows/approvals.js'
import { artifacts, artifactsList, artifactsShow, artifactsExport } from '../command-rows/artifacts.js'
import { call, batch } from '../command-rows/calls.js'
import { connect, disconnect, init } from '../command-rows/connect.js'
import { hooks, hooksTest } from '../command-rows/hooks.js'
import {
  explain,
  rules,
  rulesAdd,
  rulesPreview,
  rulesRemove,
  trust,
  importRules,
} from '../command-rows/permission.js'
import { login, logout } from '../command-rows/login.js'
import { show, log, stats, tasks, progress, cancel } from '../command-rows/record.js'
import { backup, deleteRecords, read, restore, sweep } from '../command-rows/results.js'
import { redact } from '../command-rows/redact.js'
import { limits, locks } from '../command-rows/schedule.js'
import {
  serve,
  servers,
  serversRemove,
  serversShow,
  toolsAccept,
  toolsDiff,
  toolsLint,
} from '../command-rows/serve.js'
import { secrets, secretsList, secretsRemove, secretsSet } from '../command-rows/secrets.js'
import { shellDoubts, shellRead } from '../command-rows/shell.js'
import { tokens, tokensCreate, tokensRevoke, tokensRotate } from '../command-rows/tokens.js'
import { compile, newTool } from '../command-rows/tool-files.js'
import {
  surfaces,
  surfacesPreview,
  tools,
  toolsBudget,
  toolsHistory,
  toolsSearch,
  toolsShow,
} from '../command-rows/tools.js'

/** Options of every command, before or after its name. */
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

/** The summary of a group of commands whose first word is no command itself. */
export const commandGroups: Readonly<Record<string, string>> = {
  add: 'add sources of tools to the config',
  new: 'write new files',
  shell: 'look at shell commands without running them',
}

/** Every command, in the order of help and docs. */
export const sections: readonly CommandSection[] = [
  { title: 'Start', commands: [demo, init, connect, disconnect, doctor] },
  {
    title: 'Gateway and sources',
    commands: [
      serve,
      servers,
      serversShow,
      serversRemove,
      addMcp,
      addOpenapi,
      addTools,
      addBuiltins,
      login,
      logout,
      tokens,
      tokensCreate,
      tokensRotate,
      tokensRevoke,
    ],
  },
  { title: 'Tool files', commands: [compile, newTool] },
  { title: 'Credentials', commands: [secrets, secretsList, secretsSet, secretsRemove] },
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
      toolsHistory,
      call,
      batch,
      tasks,
      progress,
      cancel,
      surfaces,
      surfacesPreview,
    ],
  },
  {
    title: 'Permission',
    commands: [
      approvals,
      approvalsShow,
      approvalsApprove,
      approvalsAnswer,
      approvalsReject,
      explain,
      rules,
      rulesAdd,
      rulesRemove,
      rulesPreview,
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
    commands: [
      log,
      show,
      stats,
      read,
      artifacts,
      artifactsList,
      artifactsShow,
      artifactsExport,
      sweep,
      deleteRecords,
      backup,
      restore,
    ],
  },
  { title: 'Other', commands: [shellRead, shellDoubts, redact, schema, completion, version, help] },
]

export const commands: readonly CommandRow[] = sections.flatMap((section) => section.commands)
