import { homedir } from 'node:os'
import { basename, dirname, resolve } from 'node:path'
import type { CribConfig } from '../config/schema/config-schema.js'
import { expandPaths } from '../config/expand-paths.js'
import { expandReferences } from '../config/expand-references.js'
import { entriesIn } from '../config/source-sections.js'
import { ownVersion } from '../files/own-package.js'
import type { CachedFileSystem } from './cached-file-system.js'
import { filesOfWords } from './files-of-words.js'
import { followFiles } from './follow-files.js'
import { recallReading, rememberReading, type Reading, type ReadingKey } from './reading-cache.js'
import { resolutionSettings, resolveImport } from './resolve-import.js'
import { runBy, runWords } from './run-words.js'
import { scanCode } from './scan-code.js'
import { shellWords, withVariables } from './shell-words.js'
import { hashOf } from './snapshot.js'

/**
 * The content of a config, in the form in which it is known: a program's own text, its value once it was run, or both.
 */
export interface ConfigContent {
  readonly path: string
  /** Of a config that is a program. */
  readonly code?: string | undefined
  readonly config?: CribConfig | undefined
}

export interface NamedFilesOptions {
  readonly fileSystem: CachedFileSystem
  readonly env: NodeJS.ProcessEnv
}

export interface NamedFiles {
  readonly reading: Reading
  readonly place: ReadingKey
}

/** Every file that a config has imported, run or read for a decision, and what those name in turn. */
export function namedFiles(
  { path, code, config }: ConfigContent,
  { fileSystem, env }: NamedFilesOptions,
): NamedFiles {
  const folder = projectFolder(path)
  const starts = [
    ...(config ? namedByConfig(config, path, fileSystem) : []),
    ...(code === undefined ? [] : namedByProgram(code, path, fileSystem)),
  ].filter((file) => file !== path)
  const place = { configPath: path, key: readingKey(starts, folder), env }
  const recalled = recallReading(place)
  if (recalled) return { reading: recalled, place }
  const followed = followFiles(starts, { folder, fileSystem })
  return { reading: rememberReading({ ...followed, snapshot: fileSystem.snapshot() }, place), place }
}

/** Everything except the files themselves that determines what is found when they are followed. */
function readingKey(starts: readonly string[], folder: string): string {
  const machine = [process.execPath, process.version, homedir(), process.getuid?.()]
  return hashOf(JSON.stringify([ownVersion(), machine, resolutionSettings(), folder, starts]))
}

/** Whether a config is a program, whose value is not known before it is run. */
export function isProgram(path: string): boolean {
  return /\.[cm]?[jt]s$/.test(path)
}

/** The modules of tools that a config names. */
export function toolModules(
  { tools = [] }: CribConfig,
  path: string,
  fileSystem?: CachedFileSystem,
): string[] {
  return expandPaths(tools, dirname(path), fileSystem).paths
}

/** The folder that paths of a project start from, also where its file is in a folder of an editor. */
export function projectFolder(path: string): string {
  const folder = dirname(path)
  return /^\.(?:cursor|vscode)$/.test(basename(folder)) ? dirname(folder) : folder
}

function namedByConfig(config: CribConfig, path: string, fileSystem: CachedFileSystem): string[] {
  const { hooks = [], permission } = config
  const folder = dirname(path)
  const project = projectFolder(path)
  const { cedar = [], entities, schema } = permission?.engine ?? {}
  const policies = expandPaths(
    [...cedar, ...(entities ? [entities] : []), ...(schema ? [schema] : [])],
    folder,
    fileSystem,
  )
  // A shell command starts in the folder of the call, which is the current one.
  const bases = [...new Set([folder, process.cwd()])]
  const variables = { TOOLCRIB_PROJECT: folder, CLAUDE_PROJECT_DIR: folder, PWD: folder }
  const commands = hooks.flatMap(({ command, args = [], env = {} }) =>
    command === undefined
      ? []
      : filesOfWords(
          [command, ...args, ...Object.values(env)].flatMap((each) => [each, ...shellWords(each, variables)]),
          {
            fileSystem,
            folder,
            bases,
            isCommand: true,
            runs: runsOf([command, ...args], variables),
          },
        ),
  )
  const sources = entriesIn(config).map(({ entry }) => entry)
  const documents = expandPaths(
    sources.flatMap(({ files = [] }) => files),
    folder,
    fileSystem,
  )
  const started = sources.flatMap(({ command, args = [], env = {}, cwd = '.' }) => {
    if (command === undefined) return []
    const expand = (text: string): string => {
      const expanded = expandReferences(text, { env: process.env, home: homedir(), folder: project })
      return expanded.ok ? expanded.text : text
    }
    const words = [command, ...args, ...Object.values(env)]
      .map(expand)
      .flatMap((each) => [each, ...shellWords(each)])
    return filesOfWords(words, {
      fileSystem,
      folder: project,
      bases: [...new Set([resolve(project, expand(cwd)), project])],
      isCommand: true,
      runs: runsOf([command, ...args].map(expand), {}),
    })
  })
  return [
    ...toolModules(config, path, fileSystem),
    ...policies.paths,
    ...commands,
    ...documents.paths,
    ...started,
  ]
}

/** A program names what its string literals name: modules, globs, and words of commands. */
function namedByProgram(code: string, path: string, fileSystem: CachedFileSystem): string[] {
  const folder = dirname(path)
  const { texts, imported } = scanCode(code)
  const variables = { TOOLCRIB_PROJECT: folder, CLAUDE_PROJECT_DIR: folder, PWD: folder }
  const words = [...texts]
    .filter((text) => !imported.has(text))
    .flatMap((text) => [text, ...shellWords(text, variables)])
  const lines = [...texts].filter((text) => /\s/.test(text))
  const runs = new Set([
    ...lines.flatMap((text) => [...runsOf([text], variables)]),
    // A command and its words are adjacent.
    ...runBy([...texts].filter((text) => /^[\w@./~%+=-]+$/.test(text))).filter((word) => word !== ''),
  ])
  return [
    ...[...imported].flatMap((specifier) => resolveImport(specifier, { file: path, fileSystem })),
    ...filesOfWords([...new Set(words)], {
      fileSystem,
      folder,
      bases: [...new Set([folder, process.cwd()])],
      runs,
    }),
  ]
}

/** The files that a command runs, whether a shell reads it or its words are given one by one. */
function runsOf(words: readonly string[], variables: Readonly<Record<string, string>>): Set<string> {
  const known = words.map((word) => withVariables(word, variables))
  return new Set([...runBy(known), ...runWords(known[0] ?? '')])
}
