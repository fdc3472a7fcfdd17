import { join, relative } from 'node:path'
import { createSerialQueue } from '../../../../platform/async/create-serial-queue.js'
import { sameJson } from '../../../../platform/json/same-json.js'
import { compileFolder } from '../../../../sources/tool-file/compile/compile-folder.js'
import { fixFolder } from '../../../../sources/tool-file/compile/fix-folder.js'
import { followFolder } from '../../../../sources/tool-file/follow-folder.js'
import { LOCK_FILE } from '../../../../sources/tool-file/lock/lock-file.js'
import type { ExitCode, Given, GivenOptions } from '../../program/command.js'
import { usageProblem } from '../../program/usage-problem.js'
import { printReport } from '../../tool-files/print-report.js'
import { toolFolders } from '../../tool-files/tool-folders.js'
import type { CheckedFolder } from '../../tool-files/folder-problems.js'
import { onInterrupt } from '../../terminal/on-interrupt.js'
import type { Terminal } from '../../terminal/terminal.js'

/** Compiles folders of tool files and reports their problems. */
export async function run({ arguments: [given], options }: Given, terminal: Terminal): Promise<ExitCode> {
  checkOptions(options)
  const folders = await toolFolders(given, options)
  if (options['watch'] !== true) {
    const code = printReport(await compileAll(folders, options), options, terminal)
    if (code === 0 && options['lock'] === true) await publish(folders, options, terminal)
    return code
  }
  await compileOnChange(folders, options, terminal)
  return 0
}

/** Makes the current state the published one. */
async function publish(folders: readonly string[], options: GivenOptions, terminal: Terminal): Promise<void> {
  const { writeLock } = await import('../../../../sources/tool-file/lock/write-lock.js')
  for (const folder of folders) {
    const { isWritten } = await writeLock(folder, { force: options['force'] === true })
    const path = relative(process.cwd(), join(folder, LOCK_FILE))
    terminal.explain(isWritten ? `Wrote ${path}; commit it with the tools.` : `${path} is up to date.`)
  }
}

const FORMATS = ['json', 'sarif', 'github'] as const

function checkOptions(options: GivenOptions): void {
  if (options['force'] === true && options['lock'] !== true)
    throw usageProblem('--force is for --lock: it publishes what breaks the published state.')
  const formats = FORMATS.filter((name) => options[name] === true)
  if (formats.length > 1)
    throw usageProblem(
      `Give one of ${formats.map((name) => `--${name}`).join(' and ')}: there is one output.`,
    )
  if (options['watch'] === true && (options['sarif'] === true || options['lock'] === true))
    throw usageProblem('With --watch, leave --sarif and --lock out: they are for one run.')
}

async function compileAll(folders: readonly string[], options: GivenOptions): Promise<CheckedFolder[]> {
  const checked: CheckedFolder[] = []
  for (const folder of folders) {
    // What is published by force is not compared with what was published before.
    const how = { lock: options['force'] !== true }
    const fixed =
      options['fix'] === true
        ? await fixFolder(folder, how)
        : { compiled: await compileFolder(folder, how), fixes: [] }
    checked.push({ folder, ...fixed })
  }
  return checked
}

/** One report for the start and for each change, until the command is ended. */
async function compileOnChange(
  folders: readonly string[],
  options: GivenOptions,
  terminal: Terminal,
): Promise<void> {
  const ending = new AbortController()
  const ended = new Promise<void>((done) => onInterrupt({ onPress: () => done(), end: done }))
  const work = createSerialQueue()
  let last: readonly CheckedFolder[] | undefined
  async function onChange(): Promise<void> {
    const checked = await compileAll(folders, options)
    // One change may be noticed twice.
    if (sameJson(checked, last)) return
    last = checked
    printReport(checked, options, terminal)
    if (options.json !== true && terminal.isShown) terminal.print('')
  }
  for (const folder of folders)
    followFolder({ folder, signal: ending.signal, onChange: () => work.run(onChange) })()
  if (options.json !== true)
    terminal.explain(
      `Compiling after each change in ${folders.map((folder) => relative(process.cwd(), folder) || '.').join(', ')}; Ctrl-C ends it.`,
    )
  // The watch alone does not keep the process alive.
  const alive = setInterval(() => {}, 60_000)
  await ended
  clearInterval(alive)
  ending.abort()
}
