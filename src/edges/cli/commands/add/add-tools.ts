import { statSync } from 'node:fs'
import { basename, dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { shortPath } from '../../../../platform/config/describe-problem.js'
import { toolFilesSection } from '../../../../platform/config/source-sections.js'
import { ownCommand } from '../../../../platform/text/own-command.js'
import { oneLine } from '../../../../platform/text/printable.js'
import type { CompiledFolder } from '../../../../sources/tool-file/compiled.js'
import { compileFolder } from '../../../../sources/tool-file/compile/compile-folder.js'
import { describeTools } from '../../../../sources/tool-file/describe-tools.js'
import type { ExitCode, Given, GivenOptions } from '../../program/command.js'
import { usageProblem } from '../../program/usage-problem.js'
import { changeEntriesFile, entriesFile, isReady, refuseTakenName } from '../../servers/entries-file.js'
import type { Terminal } from '../../terminal/terminal.js'

/** Adds one folder of tool files to the config: shows its tools and the services that they call, and asks. */
export async function run(
  { arguments: [given = ''], options }: Given,
  terminal: Terminal,
): Promise<ExitCode> {
  const folder = folderOrStop(given)
  const name = nameOf(folder, options)
  const file = await entriesFile(options)
  refuseTakenName(file, name)
  const compiled = await compileFolder(folder)
  if (compiled.tools.length === 0)
    throw usageProblem(`${shortPath(folder)} has no tool file that can be used.${firstProblem(compiled)}`)
  const code =
    typeof options['code'] === 'string' ? { code: inConfig(resolve(options['code']), file.path) } : {}
  const entry = { folder: inConfig(folder, file.path), ...code }
  if (options.json !== true) for (const line of linesOf(compiled)) terminal.say(line)
  const where = shortPath(file.path)
  const isAdded = await changeEntriesFile(
    file,
    {
      change: { key: toolFilesSection.key, put: { [name]: entry } },
      question: `Add this tool folder to ${where}${file.givesTrust ? ', and trust it' : ''}?`,
      isYes: options['yes'] === true,
    },
    terminal,
  )
  if (!isAdded) return 1
  if (options.json) {
    const tools = compiled.tools.map(({ toolId }) => toolId)
    const record = { config: file.path, kind: toolFilesSection.key, source: name, trusted: isReady(file) }
    terminal.printJson({ ...record, entry, tools, problems: compiled.problems }, 2)
    return 0
  }
  terminal.explain(`The tool folder "${name}" is in ${where} now; its tools are aml.${name}.<tool_id>.`)
  const show = ownCommand(`servers show ${name}`)
  terminal.explain(`Next: ${isReady(file) ? show : `${ownCommand('trust')}, then ${show}`}`)
  return 0
}

function folderOrStop(given: string): string {
  const folder = resolve(given)
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found?.isDirectory()) return folder
  throw usageProblem(
    found
      ? `"${given}" is a file; give the folder that holds tools/.`
      : `There is no folder "${given}"; give the folder that holds tools/.`,
  )
}

function nameOf(folder: string, options: GivenOptions): string {
  const own = basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z\d_-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  const name = typeof options['name'] === 'string' ? options['name'] : own
  if (/^[A-Za-z0-9_][\w-]{0,63}$/.test(name)) return name
  throw usageProblem(
    `The name of a tool folder has up to 64 letters, digits, dashes and underscores, not "${name}"; it is a part of the ids of its tools: --name <name>`,
  )
}

/** Relative to a config in whose folder it is, so that the folder can be moved. */
function inConfig(path: string, configPath: string): string {
  const found = relative(dirname(configPath), path)
  return found.startsWith('..') || isAbsolute(found) ? path : `./${found.replaceAll(sep, '/')}`
}

function linesOf(compiled: CompiledFolder): string[] {
  const errors = compiled.problems.filter(({ level }) => level === 'error')
  return [
    ...describeTools(compiled),
    ...errors.map(({ file, line, message }) => oneLine(`left out: ${file}:${line}: ${message}`)),
  ]
}

function firstProblem({ problems }: CompiledFolder): string {
  const [first] = problems
  return first ? ` ${first.file}:${first.line}: ${first.message}` : ''
}
