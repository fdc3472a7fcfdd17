import { readFile } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import type { ConfigProblem } from '../../platform/config/describe-problem.js'
import { expandPaths } from '../../platform/config/expand-paths.js'
import type { CedarEntity } from './cedar/cedar-entity.js'
import { cedarEngine, type CedarEngine, type CedarOptions } from './cedar-engine.js'

export interface CedarFiles extends Pick<CedarOptions, 'name' | 'onUnseenInput'> {
  /** Policy files: paths or globs, relative to `folder`. */
  policies: readonly string[]
  /** A JSON file with a list of entities. */
  entities?: string | undefined
  /** A schema in Cedar's own language or, if its name ends with .json, as JSON. */
  schema?: string | undefined
  folder: string
}

export type LoadedCedarEngine = { ok: true; engine: CedarEngine } | { ok: false; problems: ConfigProblem[] }

/** A Cedar engine from the files that a config names. All problems are reported now, with file and line. */
export async function loadCedarEngine(files: CedarFiles): Promise<LoadedCedarEngine> {
  const { folder, policies: patterns, name, onUnseenInput } = files
  const problems: ConfigProblem[] = []
  const read = async (path: string): Promise<string | undefined> => {
    try {
      return await readFile(path, 'utf8')
    } catch (error) {
      problems.push({ file: path, message: unreadableSentence(error) })
      return undefined
    }
  }
  const { paths, missing } = expandPaths(patterns, folder)
  for (const pattern of missing) {
    problems.push({ file: resolve(folder, pattern), message: 'there is no such policy file' })
  }
  const texts: Record<string, string> = {}
  for (const path of paths) {
    const text = await read(path)
    if (text !== undefined) texts[nameIn(folder, path)] = text
  }
  const entities = await readJson(files.entities, folder, { read, problems })
  const schema = files.schema?.endsWith('.json')
    ? await readJson(files.schema, folder, { read, problems })
    : files.schema && (await read(resolve(folder, files.schema)))
  if (entities !== undefined && !Array.isArray(entities)) {
    problems.push({ file: resolve(folder, files.entities!), message: 'it must hold a list of entities' })
  }
  if (problems.length > 0) return { ok: false, problems }
  const engine = cedarEngine({
    policies: texts,
    ...(entities !== undefined && { entities: entities as CedarEntity[] }),
    ...(schema !== undefined && { schema: schema as NonNullable<CedarOptions['schema']> }),
    ...(name !== undefined && { name }),
    ...(onUnseenInput !== undefined && { onUnseenInput }),
  })
  const found = await engine.check()
  if (found.length === 0) return { ok: true, engine }
  await engine.close?.()
  return { ok: false, problems: found.map((problem) => ({ ...problem, file: pathOf(problem.file, files) })) }
}

/** The name under which policies without an id are recorded: short, and the same on every machine. */
const nameIn = (folder: string, path: string): string => relative(folder, path).replaceAll('\\', '/')

/** Maps the names of texts back to files. */
function pathOf(name: string, { folder, entities, schema }: CedarFiles): string {
  if (name === 'entities' && entities !== undefined) return resolve(folder, entities)
  if (name === 'schema' && schema !== undefined) return resolve(folder, schema)
  return resolve(folder, name)
}

async function readJson(
  file: string | undefined,
  folder: string,
  { read, problems }: { read: (path: string) => Promise<string | undefined>; problems: ConfigProblem[] },
): Promise<unknown> {
  if (file === undefined) return undefined
  const path = resolve(folder, file)
  const text = await read(path)
  if (text === undefined) return undefined
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    problems.push({ file: path, message: `it is not JSON: ${(error as Error).message}` })
    return undefined
  }
}

function unreadableSentence(error: unknown): string {
  const code: unknown = Reflect.get(error as object, 'code')
  return code === 'ENOENT' ? 'there is no such file' : `it cannot be read (${String(code)})`
}
