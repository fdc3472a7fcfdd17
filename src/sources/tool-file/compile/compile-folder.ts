import { createHash } from 'node:crypto'
import { nearestWord } from '../../../platform/config/nearest-word.js'
import type { CompiledFolder, FileProblem } from '../compiled.js'
import { compareLock } from '../lock/compare-lock.js'
import { parseLock } from '../lock/lock-file.js'
import { decode, type ReadFile } from '../read/decode.js'
import { replaceText } from '../read/edits.js'
import { parseFrontMatter } from '../read/parse-front-matter.js'
import { createReport, FILE_START, problemAt } from '../read/report.js'
import { createSourceText, type Location } from '../read/source-text.js'
import type { Yaml } from '../../../platform/config/yaml-error-start.js'
import { compileAgent, type AgentResult, type LocatedRef } from './compile-agent.js'
import { compileTool, type ToolResult, type ToolTexts } from './compile-tool.js'
import { lockRules } from './rules/lock-rules.js'
import { AGENT_ENDING, readFolder, stemOf, TOOL_ENDING, type FolderFiles } from './read-folder.js'

export interface CompileOptions {
  /** Results of files are taken from here where their texts are the same, and kept here. */
  readonly cache?: FolderCache | undefined
  /** Whether the folder is compared with its `toolcrib.lock`; true by default. */
  readonly lock?: boolean | undefined
}

/** What files compiled to, by path. Plain JSON, so that it can be stored. */
export type FolderCache = Map<string, { readonly digest: string; readonly result: ToolResult | AgentResult }>

/** The results of all files, and all problems of the folder. */
export interface FolderResults {
  readonly tools: readonly ToolResult[]
  readonly agents: readonly AgentResult[]
  readonly problems: readonly FileProblem[]
}

/** Compiles the tool files and agent files of a folder. It never throws for what is in the files. */
export async function compileFolder(folder: string, options: CompileOptions = {}): Promise<CompiledFolder> {
  const { tools, agents, problems } = await compileResults(folder, options)
  const broken = new Set(problems.filter(isOfFile).map(({ file }) => file))
  return {
    tools: tools.flatMap(({ tool }) => (tool && !broken.has(tool.file) ? [tool] : [])),
    agents: agents.flatMap(({ agent }) => (agent && !broken.has(agent.file) ? [agent] : [])),
    problems,
  }
}

/** An error of the file itself; what differs from the published state can be used all the same. */
const isOfFile = ({ level, code }: FileProblem): boolean =>
  level === 'error' && !Object.hasOwn(lockRules, code)

/** The same as `compileFolder`, with what is known of files that have errors. */
export async function compileResults(
  folder: string,
  { cache, lock = true }: CompileOptions = {},
): Promise<FolderResults> {
  const files = await readFolder(folder)
  const isEmpty = files.tools.length + files.agents.length === 0
  const yaml = isEmpty ? undefined : await import('yaml')
  const { tools, agents } = yaml ? compileFiles(files, yaml, cache) : { tools: [], agents: [] }
  const problems = [
    ...files.problems,
    ...[...tools, ...agents].flatMap((each) => each.problems),
    ...checkIds(tools, agents),
    ...agents.flatMap((agent) => checkRefs(agent, tools)),
    ...unusedFiles(files),
    ...(lock && files.lock ? checkLock(files.lock, { files, tools, yaml }) : []),
  ]
  return { tools, agents, problems: problems.toSorted(byPlace) }
}

function checkLock(
  read: ReadFile,
  { files, tools, yaml }: { files: FolderFiles; tools: readonly ToolResult[]; yaml: Yaml | undefined },
): FileProblem[] {
  const report = createReport(createSourceText(read.file, new TextDecoder().decode(read.bytes)))
  const lock = parseLock(report)
  if (!lock) return [...report.problems]
  const ids = new Set(tools.map((each) => each.toolId ?? stemOf(each.file, TOOL_ENDING)))
  return compareLock(lock, {
    tools,
    ids,
    report,
    // Results have no positions of single values: a file is parsed again where one is needed.
    locate: (file, path) =>
      locateIn(
        files.tools.find((each) => each.file === file)!,
        path,
        yaml!,
      ),
  })
}

function locateIn(read: ReadFile, path: readonly string[], yaml: Yaml): Location {
  const report = decode(read)
  const matter = parseFrontMatter(report, yaml)!
  let { root: node, opening: at } = matter
  for (const name of path) {
    const member = node.members?.get(name)
    if (!member) break
    node = member.node
    at = member.key
  }
  return report.source.locate(at)
}

function compileFiles(
  files: FolderFiles,
  yaml: Yaml,
  cache: FolderCache | undefined,
): { tools: ToolResult[]; agents: AgentResult[] } {
  const paths = new Set([...files.tools, ...files.agents].map(({ file }) => file))
  for (const path of cache?.keys() ?? []) if (!paths.has(path)) cache!.delete(path)
  const tools = files.tools.map((read) => {
    const stem = stemOf(read.file, TOOL_ENDING)
    const texts: ToolTexts = { ...read, sql: files.sql.get(stem), avro: files.avro.get(stem) }
    return remembered(cache, [texts, texts.sql, texts.avro], () => compileTool(texts, yaml)) as ToolResult
  })
  const agents = files.agents.map(
    (read) => remembered(cache, [read], () => compileAgent(read, yaml)) as AgentResult,
  )
  return { tools, agents }
}

function remembered(
  cache: FolderCache | undefined,
  texts: readonly (ReadFile | undefined)[],
  compile: () => ToolResult | AgentResult,
): ToolResult | AgentResult {
  if (!cache) return compile()
  const hash = createHash('sha256')
  for (const each of texts) hash.update(`${each?.bytes.length ?? '-'}\n`).update(each?.bytes ?? '')
  const digest = hash.digest('hex')
  const { file } = texts[0]!
  const before = cache.get(file)
  if (before?.digest === digest) return before.result
  const result = compile()
  cache.set(file, { digest, result })
  return result
}

/** Two files with one id: the file whose name is the id has it. */
function checkIds(tools: readonly ToolResult[], agents: readonly AgentResult[]): FileProblem[] {
  const problems: FileProblem[] = []
  const owners = new Map<string, string>()
  const named = [
    ...tools.map((each) => ({ ...each, id: each.toolId, ending: TOOL_ENDING })),
    ...agents.map((each) => ({ ...each, id: each.agentId, ending: AGENT_ENDING })),
  ]
  const isOwner = ({ file, id, ending }: (typeof named)[number]): boolean => stemOf(file, ending) === id
  for (const each of named.toSorted((left, right) => Number(isOwner(right)) - Number(isOwner(left)))) {
    const { id, idAt: at, file, ending } = each
    if (id === undefined || !at) continue
    const owner = owners.get(`${ending}${id}`)
    if (owner === undefined) owners.set(`${ending}${id}`, file)
    else
      problems.push(
        problemAt(ending === TOOL_ENDING ? 'aml/duplicate-tool-id' : 'aml/duplicate-agent-id', {
          file,
          at,
          message: `The id ${id} belongs to ${owner}; use another one.`,
        }),
      )
  }
  return problems
}

/** Refs are checked each time: a changed tool concerns every agent that refers to it. */
function checkRefs({ file, refs }: AgentResult, tools: readonly ToolResult[]): FileProblem[] {
  return refs.flatMap((located) => checkRef(located, { file, refs, tools }))
}

function checkRef(
  { ref, at }: LocatedRef,
  { file, refs, tools }: Pick<AgentResult, 'file' | 'refs'> & { tools: readonly ToolResult[] },
): FileProblem[] {
  // The file of a tool with problems reports them itself.
  const tool = tools.find((each) => (each.toolId ?? stemOf(each.file, TOOL_ENDING)) === ref)
  if (!tool) {
    const near = nearestWord(
      ref,
      tools.flatMap(({ toolId }) => toolId ?? []),
    )
    const message = `There is no tool "${ref}"; ${near === undefined ? `add tools/${ref}.tool.md or remove the ref.` : `did you mean "${near}"?`}`
    // Two refs to one tool would be the next problem.
    const isFree = near !== undefined && !refs.some((each) => each.ref === near)
    const fix = isFree ? replaceText({ ...at, value: ref, style: 'quoted', size: 1 }, near) : undefined
    return [problemAt('aml/unresolved-ref', { file, at, message, fix })]
  }
  switch (tool.status) {
    case 'disabled':
      return [
        problemAt('aml/disabled-ref', { file, at, message: `The tool ${ref} is disabled; remove the ref.` }),
      ]
    case 'deprecated':
      return [
        problemAt('aml/deprecated-ref', {
          file,
          at,
          message: `The tool ${ref} is deprecated; use another tool.`,
        }),
      ]
    case 'draft':
      return [
        problemAt('aml/draft-ref', {
          file,
          at,
          message: `The tool ${ref} is a draft and cannot be called; set its status to active.`,
        }),
      ]
    case 'active':
    case undefined:
      return []
  }
}

/** Files that belong to no tool file. */
function unusedFiles({ tools, sql, avro }: FolderFiles): FileProblem[] {
  const stems = new Set(tools.map(({ file }) => stemOf(file, TOOL_ENDING)))
  const without = (files: FolderFiles['sql']): ReadFile[] =>
    [...files].flatMap(([stem, read]) => (stems.has(stem) ? [] : [read]))
  const message = 'No tool file has this name; remove the file, or name it like its tool.'
  return [
    ...without(sql).map(({ file }) => problemAt('aml/unused-sql', { file, at: FILE_START, message })),
    ...without(avro).map(({ file }) =>
      problemAt('aml/unused-avro-schema', { file, at: FILE_START, message }),
    ),
  ]
}

function byPlace(left: FileProblem, right: FileProblem): number {
  if (left.file !== right.file) return left.file < right.file ? -1 : 1
  return left.line - right.line || left.column - right.column
}
