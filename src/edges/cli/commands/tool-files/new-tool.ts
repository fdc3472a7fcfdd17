import { mkdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { nearestWord } from '../../../../platform/config/nearest-word.js'
import { ownCommand, shellWord } from '../../../../platform/text/own-command.js'
import { oneLine } from '../../../../platform/text/printable.js'
import { compileFolder } from '../../../../sources/tool-file/compile/compile-folder.js'
import { compileTool } from '../../../../sources/tool-file/compile/compile-tool.js'
import { textOption, type ExitCode, type Given, type GivenOptions } from '../../program/command.js'
import { usageProblem } from '../../program/usage-problem.js'
import { askPerson } from '../../terminal/ask-person.js'
import type { Terminal } from '../../terminal/terminal.js'
import { newToolQuestions, type NewToolQuestion } from '../../tool-files/new-tool-questions.js'
import { newToolText, type NewTool, type NewToolTexts } from '../../tool-files/new-tool-text.js'
import { toolFolders } from '../../tool-files/tool-folders.js'

/** Asks what a new tool is, and writes its file. An existing file is never changed. */
export async function run({ arguments: [id], options }: Given, terminal: Terminal): Promise<ExitCode> {
  const folder = await folderOf(options)
  const isAsked = terminal.isInteractive && options.json !== true && options['yes'] !== true
  const given: GivenOptions = { ...options, ...(id !== undefined && { id }) }
  if (id !== undefined) await refuseTaken(folder, id)
  const tool = isAsked
    ? await askForTool(given, { folder, terminal })
    : await toolOfOptions(given, await ownerIn(folder))
  if (!tool) {
    terminal.say('Nothing was written.')
    return 1
  }
  await refuseTaken(folder, tool.id!)
  const texts = newToolText(tool, new Date())
  const problems = await problemsIn(tool.id!, texts)
  if (problems.length > 0) throw usageProblem(`Nothing was written. ${problems.join(' ')}`)
  const files = await writeFiles(folder, tool.id!, texts)
  const shown = files.map((file) => relative(process.cwd(), file))
  if (options.json) terminal.printJson({ tool_id: tool.id, files: shown }, 2)
  else {
    terminal.print(shown.map(oneLine).join('\n'))
    const next = relative(process.cwd(), folder)
    terminal.explain(
      `${tool.status === 'draft' ? 'It is a draft: set its status to "active" when it can be called. ' : ''}To check it: ${ownCommand(`compile${next === '' ? '' : ` ${shellWord(next)}`}`)}`,
    )
  }
  return 0
}

async function folderOf(options: GivenOptions): Promise<string> {
  const folders = await toolFolders(textOption(options, 'dir'), options)
  if (folders.length === 1) return folders[0]!
  const named = folders.map((folder) => relative(process.cwd(), folder) || '.').join(', ')
  throw usageProblem(`The config names several folders; say which one with --dir: ${named}`)
}

const pathsOf = (folder: string, id: string): { tool: string; sql: string } => ({
  tool: join(folder, 'tools', `${id}.tool.md`),
  sql: join(folder, 'tools', `${id}.sql`),
})

async function refuseTaken(folder: string, id: string): Promise<void> {
  const taken = await takenFile(folder, id)
  if (taken !== undefined)
    throw usageProblem(`${relative(process.cwd(), taken)} is there already; take another id.`)
}

async function takenFile(folder: string, id: string): Promise<string | undefined> {
  const { tool, sql } = pathsOf(folder, id)
  for (const path of [tool, sql])
    if (
      await stat(path).then(
        () => true,
        () => false,
      )
    )
      return path
  return undefined
}

/** The owner of the other tools is probably the owner of this one. */
async function ownerIn(folder: string): Promise<string | undefined> {
  return (await compileFolder(folder)).tools[0]?.meta.owner
}

/** What the options say, with defaults for the rest. */
async function toolOfOptions(options: GivenOptions, owner: string | undefined): Promise<NewTool> {
  const tool: NewTool = {}
  const missing: string[] = []
  for (const question of newToolQuestions) {
    const { option, flag } = question
    const given = textOption(options, option)
    if (question.isFor?.(tool) === false) {
      if (given !== undefined) throw usageProblem(`${flag} is not for this tool; leave it out.`)
      continue
    }
    const answer = given ?? question.preset?.(tool) ?? (option === 'owner' ? owner : undefined)
    if (answer === undefined) missing.push(flag)
    else tool[option] = checked(question, answer, tool)
  }
  if (missing.length > 0)
    throw usageProblem(`Nobody at a terminal can be asked, so the new tool needs ${missing.join(', ')}.`)
  return tool
}

function checked(question: NewToolQuestion, answer: string, tool: NewTool): string {
  const problem = problemOf(question, answer, tool)
  if (problem === undefined) return answer
  throw usageProblem(`${question.flag}: ${problem}`)
}

function problemOf({ choices, problem }: NewToolQuestion, answer: string, tool: NewTool): string | undefined {
  const words = choices?.(tool)
  if (!words || words.includes(answer)) return problem?.(answer, tool)
  const near = nearestWord(answer, words)
  return `Take one of ${words.join(', ')}${near === undefined ? '.' : `; did you mean "${near}"?`}`
}

/** Asks one question after the other; undefined where the person gave up. */
async function askForTool(
  options: GivenOptions,
  { folder, terminal }: { folder: string; terminal: Terminal },
): Promise<NewTool | undefined> {
  const owner = await ownerIn(folder)
  const tool: NewTool = {}
  for (const question of newToolQuestions) {
    if (question.isFor?.(tool) === false) continue
    const { option } = question
    const given = textOption(options, option)
    const preset = question.preset?.(tool) ?? (option === 'owner' ? owner : undefined)
    if (given !== undefined) tool[option] = checked(question, given, tool)
    else if (question.isQuiet) tool[option] = preset ?? ''
    else {
      const answer = await askOne(question, { tool, preset, folder, terminal })
      if (answer === undefined) return undefined
      tool[option] = answer
    }
  }
  return tool
}

async function askOne(
  question: NewToolQuestion,
  {
    tool,
    preset,
    folder,
    terminal,
  }: { tool: NewTool; preset: string | undefined; folder: string; terminal: Terminal },
): Promise<string | undefined> {
  const words = question.choices?.(tool)
  if (words) terminal.explain(`${question.question}: ${words.join(', ')}`, terminal.sayStyle.dim)
  const asked = `${question.question}${preset === undefined ? '' : ` [${preset}]`}: `
  for (;;) {
    const line = await askPerson(asked, { terminal })
    if (line === undefined) return undefined
    const answer = line.trim() === '' ? preset : line.trim()
    const problem =
      answer === undefined
        ? 'This needs an answer; Ctrl-C ends the command.'
        : (problemOf(question, answer, tool) ?? (await takenProblem(question, answer, folder)))
    if (problem === undefined) return answer
    terminal.explain(problem)
  }
}

async function takenProblem(
  { option }: NewToolQuestion,
  answer: string,
  folder: string,
): Promise<string | undefined> {
  const taken = option === 'id' ? await takenFile(folder, answer) : undefined
  return taken && `${relative(process.cwd(), taken)} is there already; take another id.`
}

/** The compiler decides whether the answers make a valid file. */
async function problemsIn(id: string, { text, sql }: NewToolTexts): Promise<string[]> {
  const yaml = await import('yaml')
  const read = (file: string, content: string) => ({ file, bytes: Buffer.from(content) })
  const { problems } = compileTool(
    {
      ...read(`tools/${id}.tool.md`, text),
      ...(sql !== undefined && { sql: read(`tools/${id}.sql`, sql) }),
    },
    yaml,
  )
  return problems.map(({ message }) => message)
}

async function writeFiles(folder: string, id: string, { text, sql }: NewToolTexts): Promise<string[]> {
  const paths = pathsOf(folder, id)
  await mkdir(dirname(paths.tool), { recursive: true })
  // Fails where the file has appeared meanwhile.
  if (sql !== undefined) await writeFile(paths.sql, sql, { flag: 'wx' })
  await writeFile(paths.tool, text, { flag: 'wx' })
  return sql === undefined ? [paths.tool] : [paths.tool, paths.sql]
}
